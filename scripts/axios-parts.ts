import { type Parts, without } from './parts.ts';

/** Helpers of axios for forms, blobs, data URLs, limits of speed, and proxies that it finds itself. */
const UNUSED = [
  'AxiosTransformStream',
  'formDataToJSON',
  'formDataToStream',
  'fromDataURI',
  'readBlob',
  'toURLEncodedForm',
];

/** The code in axios for requests that botcli doesn't send: from browsers, with forms, with redirects, over HTTP/2, with progress. */
export const axios: Parts = {
  leftOut: {
    'axios/lib/adapters/fetch.js': ['getFetch'],
    'axios/lib/adapters/xhr.js': ['default'],
    'form-data': ['default'],
    ...Object.fromEntries(UNUSED.map(name => [`axios/lib/helpers/${name}.js`, ['default']])),
    'axios/lib/helpers/estimateDataURLDecodedBytes.js': ['estimateDataURLBufferAllocation'],
    'axios/lib/helpers/progressEventReducer.js': ['asyncDecorator', 'progressEventDecorator', 'progressEventReducer'],
    'axios/lib/helpers/toFormData.js': ['default'],
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
    'axios/lib/core/dispatchRequest.js': [
      // Accessing this object makes Node load modules that nothing else needs.
      ["typeof performance !== 'undefined' && utils.isFunction(performance.now)", 'false'],
    ],
    'axios/lib/utils.js': [
      // Accessing this class makes Node load its `fetch`. Axios can also recognize a form by its tag.
      [
        "const FormDataCtor = typeof G.FormData !== 'undefined' ? G.FormData : undefined;",
        'const FormDataCtor = undefined;',
      ],
    ],
  },
};
