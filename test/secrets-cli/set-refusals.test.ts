import assert from 'node:assert/strict';
import { cloudSession, SECRET } from '../support/cloud-session.ts';
import { linuxIt } from '../support/systems.ts';
import { refuses } from './accounts.ts';

const files = {
  '.env': 'K=1',
  'wrapped.env': 'AZURE_KEY=\nq83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ=\nOTHER_KEY=1\n',
  'bad.env': `${SECRET}\nA=\nB=${SECRET}\nB=2\n`,
  'long.env': `${SECRET}\n`.repeat(50) + [...Array(50).keys()].map(at => `K${at}=${SECRET}\n`).join(''),
};
const NAMES = ['..', '../services/x', 'a/b', '%2e%2e', 'a_b', 'a.b', "'a b'", "''", 'ä'];

describe('before it sends anything, cloud', () => {
  refuses('secrets set', {
    files,
    isEarly: true,
    messages: {
      'demo -s': /^error: Nothing to set: pass --file, a bare KEY, KEY=-, or KEY=VALUE\n$/,
      [`demo K=${SECRET} -s --file x`]: /Pass KEY=VALUE pairs or --file, not both/,
      [`demo K=${SECRET}`]:
        /This command asks for confirmation\. botcli can't ask, because this isn't a terminal\nPass --skip/,
      'demo -f .env': /Pass --skip/,
      'demo -f -': /^error: This command asks for confirmation\. /,
      x_y: /3 problems; nothing was sent:\n {2}<name> must be .*\n {2}Nothing to set: .*\n {2}This command asks .*\nPass --skip/,
      'x_y -f bad.env':
        /4 problems; nothing was sent:\n {2}<name> must be .*\n {2}This command asks .*\n {2}bad\.env: line 1: .*\n {2}bad\.env: line 4: /,
      'x_y -f nofile -s': /2 problems; nothing was sent:\n {2}<name> must be .*\n {2}nofile can't be read: .*\n/,
      'x_y -f - -s': /^error: <name> must be 1 to 128 letters/,
      'demo -f wrapped.env -s':
        /^error: Nothing was sent, because of a problem in wrapped\.env: line 2: it looks like the rest of the value in line 1; put that on one line\n/,
      [`demo 'A=${SECRET} B=2' -s`]:
        /Argument 1: it seems to contain several pairs; .* pass the value with --file, or with KEY=- from stdin/,
      [`demo ${SECRET} -s`]: /Argument 1: it has no "=", and botcli can't ask for a value here/,
      'demo K= -s': /Argument 1: the value is empty; to remove a key, use unset/,
      'demo -f nothere -s': /nothere can't be read: no such file or directory/,
      [`demo -f API_KEY=${SECRET} -s`]:
        /^error: --file can't be read: no such file or directory\nThe path isn't shown, because it may be a secret\. Pass KEY=VALUE pairs without --file\.\n$/,
      [`demo '--file=-----BEGIN KEY-----\n${SECRET}' -s`]: /^error: --file can't be read/,
      'demo -f . -s': /\. can't be read: it is a directory/,
      'demo --file= -s': /the path is empty/,
      'demo -f bad.env -s':
        /because of 2 problems in bad\.env:\n {2}line 1: it has no "="\n {2}line 4: it repeats the key of line 3\n/,
      'demo -f long.env -s': /because of 50 problems[\s\S]*line 20: it has no "="\n {2}and 30 more\n/,
      [`demo K=${SECRET} -s -o ../x`]: /--organization must be the name in the organization's URL/,
      [`demo K=${SECRET} -s -r 'US West'`]: /--region must be a code/,
      ...Object.fromEntries(
        NAMES.map(name => [`${name} K=${SECRET} -s`, /^error: <name> must be 1 to 128 letters, digits, or hyphens\n$/]),
      ),
    },
  });

  const inputs: [line: string, input: string | Buffer, message: RegExp][] = [
    ['demo K=- -s', '\n', /the value is empty/],
    ['demo K=- -s', Buffer.from([0xff]), /stdin isn't UTF-8 text/],
    ['demo K=- -s', 'a\0b', /the value contains a NUL character/],
    ['demo K=- -s', 'x'.repeat(2 ** 20 + 1), /K=- reads stdin, which is larger than 1 MiB/],
    ['demo -f - -s', '', /because of a problem in stdin: it contains no secrets/],
    ['demo -f - -s', Buffer.from(`\ufeffK=${SECRET}`, 'utf16le'), /because of a problem in stdin: it is UTF-16/],
  ];
  for (const [line, input, message] of inputs)
    refuses('secrets set', { input, isEarly: true, messages: { [line]: message } });

  linuxIt(
    'refuses a file that the disk does not deliver',
    cloudSession({}, async ({ fail }) => {
      const message = "error: /proc/self/mem can't be read: the disk reported an I/O error\n";
      assert.equal(await fail(2, 'cloud secrets set demo --file /proc/self/mem -s'), message);
    }),
  );
});

describe('before it changes anything, cloud', () => {
  refuses('secrets set', {
    code: 1,
    messages: {
      'hub K=1 --skip': /hub is an image pull secret, which has no keys\nChoose another name/,
      'theirs K=1 --skip': /theirs is managed in your own cluster/,
      'eu K=1 -r us-west --skip': /eu is in eu-central and can't be moved to us-west\nOmit --region/,
      'new K=1 -o nobodys --skip': /no access to new in organization nobodys/,
    },
  });
  const messages = { 'new K=1 -r us-wst --skip': /Organization acme has no region "us-wst"\. Did you mean us-west\?/ };
  refuses('secrets set', { messages });
});
