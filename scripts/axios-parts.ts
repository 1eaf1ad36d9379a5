import { type Parts, without } from './parts.ts';

/** What axios carries along for requests that ours aren't: of browsers, with forms, redirected, by HTTP/2. */
export const axios: Parts = {
  leftOut: {
    'axios/lib/adapters/fetch.js': ['getFetch'],
    'axios/lib/adapters/xhr.js': ['default'],
    'form-data': ['default'],
  },
  late: { 'https-proxy-agent': { classes: ['default'] } },
  importer: 'axios/index.js',

  changes: {
    'axios/lib/adapters/http.js': [
      ["import http2 from 'http2';\n", ''],
      ["import Http2Sessions from '../helpers/Http2Sessions.js';\n", ''],
      ['new Http2Sessions()', `{ getSession() { ${without('http2')} } }`],
      ["import followRedirects from 'follow-redirects';\n", ''],
      [
        '{ http: httpFollow, https: httpsFollow } = followRedirects',
        `httpFollow = { request() { ${without('follow-redirects')} } }, httpsFollow = httpFollow`,
      ],
    ],
    'axios/lib/utils.js': [
      // To ask Node for this class is to load its `fetch`. Forms are known by their tag, too.
      [
        "const FormDataCtor = typeof G.FormData !== 'undefined' ? G.FormData : undefined;",
        'const FormDataCtor = undefined;',
      ],
    ],
  },
};
