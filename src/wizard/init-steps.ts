import { VERSION } from '../version.ts';
import { botSteps } from './bot-steps.ts';
import { madeHere } from './present-answers.ts';
import type { Situation, Step } from './step.ts';
import { summaryOf } from './summary.ts';

const DEFAULT_DIRECTORY = 'my-bot';

const startSteps: readonly Step[] = [
  {
    key: 'directory',
    kind: 'text',
    title: 'Directory',
    question: 'In which directory? (. is this one)',
    initial: () => DEFAULT_DIRECTORY,
    validate: (answer, { problemOf }) => problemOf(answer),
    describe: (answer, { nameOf }) => (answer === '.' ? `this one, ${nameOf(answer)}` : answer),
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
    initial: true,
  },
  {
    key: 'build',
    kind: 'one',
    question: 'How do you want to build?',
    when: situation => !situation.hasBot(situation.answers.directory ?? '.'),
    choices: () => [
      { value: 'bot', label: 'Create a bot now', hint: 'a few questions' },
      { value: 'agent', label: 'With a coding agent', hint: 'write guides that teach it how' },
    ],
  },
  {
    key: 'build',
    kind: 'one',
    question: 'This directory has a bot.',
    when: situation => madeHere(situation) !== undefined,
    choices: () => [
      { value: 'change', label: 'Change this bot', hint: 'your edits stay' },
      { value: 'agent', label: 'Only add missing guides', hint: 'for a coding agent' },
    ],
  },
];

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
    when: isBot,
    initial: true,
    isPersonal: true,
  },
];

const finalQuestion = ({ answers }: Situation) =>
  answers.build === 'change' ? 'Change this bot?' : 'Create this bot?';

const guidesToRefresh = ({ answers, olderGuides }: Situation): readonly string[] =>
  olderGuides(answers.directory ?? '.');
