import assert from 'node:assert/strict';
import { mergeRows } from './merging.ts';

const SAME = 'conflict: You and botcli changed the same lines.';
const GUIDE =
  '# Bot//## Run//Call it./Then talk./Wait a bit.//## Deploy//Push it./Then wait./Look at it.//## End//Bye now.';
const TWICE = GUIDE.replace('Call it.', 'Push it.').replace('Look at it.', 'Look at it./Ask the team.');

/** What people do to a README; rows are separated by `/`. */
const cases: [about: string, user: string, base: string, botcli: string, merged: string][] = [
  [
    'a rewritten section',
    GUIDE.replace('Call it./Then talk./Wait a bit.', 'Run `make`.'),
    GUIDE,
    GUIDE.replace('Then talk', 'Then sing'),
    GUIDE.replace('Call it./Then talk./Wait a bit.', 'Run `make`.'),
  ],
  [
    'a removed section',
    GUIDE.replace(/## Deploy.*\/\/(?=## End)/, ''),
    GUIDE,
    GUIDE.replace('Then wait', 'Then sing'),
    GUIDE.replace(/## Deploy.*\/\/(?=## End)/, ''),
  ],
  [
    'a section that the user has edited',
    GUIDE.replace('Then wait', 'Then run'),
    GUIDE,
    GUIDE.replace('Then wait', 'Then sing'),
    SAME,
  ],
  [
    'a section under another heading',
    GUIDE.replace('## Deploy', '## Ship'),
    GUIDE,
    GUIDE.replace('Then wait', 'Then sing'),
    GUIDE.replace('## Deploy', '## Ship').replace('Then wait', 'Then sing'),
  ],
  [
    'a rewritten section of two lines',
    GUIDE.replace('Bye now.', 'See you soon.'),
    GUIDE.replace('Bye now.', 'Bye now./Then sleep.'),
    GUIDE.replace('Bye now.', 'Bye now./Then rest.'),
    SAME,
  ],
  [
    'a removed section with a line that another one has',
    TWICE.replace(/## Deploy.*\/\/(?=## End)/, ''),
    TWICE,
    TWICE.replace('Then wait', 'Then sing'),
    TWICE.replace(/## Deploy.*\/\/(?=## End)/, ''),
  ],
  [
    'a rewritten section, and a line of it in another one',
    GUIDE.replace('Call it./Then talk./Wait a bit.', 'Run `make`.').replace('Push it.', 'Push it./Call it.'),
    GUIDE,
    GUIDE.replace('Then talk', 'Then sing'),
    GUIDE.replace('Call it./Then talk./Wait a bit.', 'Run `make`.').replace('Push it.', 'Push it./Call it.'),
  ],
  [
    'a rewritten last section',
    GUIDE.replace('Bye now.', 'See you soon.'),
    GUIDE.replace('Bye now.', 'Bye now./Then sleep./Then wake.'),
    GUIDE.replace('Bye now.', 'Bye now./Then rest./Then wake.'),
    GUIDE.replace('Bye now.', 'See you soon.'),
  ],
  [
    'a rewritten section with a comment in a line of code',
    '## Run/My own way.//## End/Bye now.',
    '## Run/Call it./`make # all`/Then talk.//## End/Bye now.',
    '## Run/Call it./`make # all`/Then sing.//## End/Bye now./So long.',
    '## Run/My own way.//## End/Bye now./So long.',
  ],
  [
    'another section with the same heading',
    `${GUIDE}//## Run//Run it my way.`,
    GUIDE,
    GUIDE.replace('Then talk', 'Then sing'),
    `${GUIDE.replace('Then talk', 'Then sing')}//## Run//Run it my way.`,
  ],
  [
    'a rewritten section, and ours has a new one',
    GUIDE.replace('Call it./Then talk./Wait a bit.', 'Run `make`.'),
    GUIDE,
    `${GUIDE}//## Help/Ask us.`,
    `${GUIDE.replace('Call it./Then talk./Wait a bit.', 'Run `make`.')}//## Help/Ask us.`,
  ],
  [
    'a rewritten section with comments in code',
    '## Run/My own way.//## End/Bye now./So long.',
    '## Run/Call it./Then talk./```/~~~/# Not a heading/```/Wait a bit.//## End/Bye now./So long.',
    '## Run/Call it./Then talk./```/~~~/# Not a heading/```/Wait a lot.//## End/Bye now./So far.',
    '## Run/My own way.//## End/Bye now./So far.',
  ],
];

describe('merging Markdown when the user has', () => {
  for (const [about, user, base, botcli, merged] of cases) {
    it(about, () => assert.equal(mergeRows('README.md', user, base, botcli), merged));
  }
});
