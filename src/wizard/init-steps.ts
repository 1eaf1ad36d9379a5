import { lostBetween } from '../config/losses.ts';
import { VERSION } from '../version.ts';
import { botSteps } from './bot-steps.ts';
import { madeBefore, madeHere } from './present-answers.ts';
import { configOf } from './raw-config.ts';
import { type Answers, BACK, type Situation, type Step } from './step.ts';
import { summaryOf } from './summary.ts';

const DEFAULT_DIRECTORY = 'my-bot';

/** The default, or a name like it that no directory with files has. */
function freeName(hasFiles: Situation['hasFiles']): string {
  const names = [DEFAULT_DIRECTORY, ...Array.from({ length: 98 }, (_, at) => `${DEFAULT_DIRECTORY}-${at + 2}`)];
  return names.find(name => !hasFiles(name)) ?? DEFAULT_DIRECTORY;
}

const startSteps: readonly Step[] = [
  {
    key: 'directory',
    kind: 'text',
    title: 'Directory',
    question: 'Where should the bot go?\n(a new directory, or . for this one)',
    initial: ({ hasFiles }) => freeName(hasFiles),
    validate: (answer, { problemOf }) => problemOf(answer),
    describe: (answer, { nameOf, hasBot, hasFiles }) => {
      const place = answer === '.' ? `this one, ${nameOf(answer)}` : answer;
      return hasFiles(answer) && !hasBot(answer) ? `${place} (its files stay)` : place;
    },
  },
  {
    key: 'refresh',
    kind: 'yes-no',
    question: situation => {
      const names = guidesToRefresh(situation);
      const they = names.length === 1 ? 'It predates' : 'They predate';
      const edits = names.length === 1 ? 'Edits in it will be lost.' : 'Edits in them will be lost.';
      return `Refresh ${names.join(', ')}?\n${they} botcli ${VERSION}.\n${edits}`;
    },
    when: situation => guidesToRefresh(situation).length > 0,
    initial: () => true,
  },
  {
    key: 'build',
    kind: 'one',
    question: 'Who builds the bot?',
    when: situation => !hasBotHere(situation),
    choices: () => [
      { value: 'bot', label: 'botcli, now', hint: 'a few questions' },
      { value: 'agent', label: 'My coding agent', hint: 'botcli writes instructions for it' },
    ],
  },
  {
    key: 'build',
    kind: 'one',
    question: ({ answers }) => `${placeOf(answers)} has a bot.`,
    when: situation => madeHere(situation) !== undefined,
    choices: () => [
      { value: 'change', label: 'Change this bot', hint: 'your edits stay' },
      { value: 'agent', label: 'Only add missing guides', hint: 'for a coding agent' },
    ],
  },
  {
    key: 'build',
    kind: 'one',
    question: ({ answers }) => `${placeOf(answers)} has a bot that botcli didn't make.`,
    when: situation => hasBotHere(situation) && madeHere(situation) === undefined,
    choices: () => [
      { value: 'agent', label: 'Leave it, and add guides', hint: 'for a coding agent' },
      { value: BACK, label: 'Choose another directory' },
    ],
  },
];

function hasBotHere({ answers, hasBot }: Situation): boolean {
  return hasBot(answers.directory ?? '.');
}

const placeOf = ({ directory = '.' }: Answers): string => (directory === '.' ? 'This directory' : directory);

const isBot = ({ answers: { build } }: Situation): boolean => build === 'bot' || build === 'change';

const steps: readonly Step[] = [
  ...startSteps,
  ...botSteps.map(step => ({
    ...step,
    when: (situation: Situation) => isBot(situation) && (step.when?.(situation) ?? true),
  })),
];

/** Every question of `botcli init`, in order. */
export const initSteps: readonly Step[] = [
  ...steps,
  {
    key: 'make',
    kind: 'yes-no',
    question: situation => [...summaryOf(steps, situation), '', finalQuestion(situation)].join('\n'),
    when: situation => isBot(situation) || situation.answers.build === 'agent',
    // Enter alone takes nothing away that people have put work into.
    initial: situation => lossesOf(situation).length === 0,
    isPersonal: true,
  },
];

/** What the bot loses that people have put work into. */
function lossesOf(situation: Situation): string[] {
  const made = madeBefore(situation);
  return made ? lostBetween(made, configOf(situation)).map(([, name]) => name) : [];
}

const FINAL = { bot: 'Create this bot?', change: 'Change this bot?', agent: 'Write these guides?' };

function finalQuestion(situation: Situation): string {
  const question = FINAL[situation.answers.build as keyof typeof FINAL];
  const lost = lossesOf(situation);
  return lost.length === 0 ? question : `The bot loses its ${lost.join(' and its ')}. ${question}`;
}

const guidesToRefresh = ({ answers, olderGuides }: Situation): readonly string[] =>
  olderGuides(answers.directory ?? '.');
