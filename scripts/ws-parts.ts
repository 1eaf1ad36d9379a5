import type { Parts } from './parts.ts';

/** The code in ws for streams, and for packages that may be in a user's directory. */
export const ws: Parts = {
  leftOut: { 'ws/lib/stream.js': [] },
  late: {},
  importer: 'ws/wrapper.mjs',
  changes: {
    'ws/lib/buffer-util.js': [['!process.env.WS_NO_BUFFER_UTIL', 'false']],
    'ws/lib/validation.js': [['!process.env.WS_NO_UTF_8_VALIDATE', 'false']],
  },
};
