import { VERSION } from '../version.ts';
import { botSteps } from './bot-steps.ts';
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
    when: ({ answers, hasBot }) => !hasBot(answers.directory ?? '.'),
    choices: () => [
      { value: 'bot', label: 'Create a bot now', hint: 'a few questions' },
      { value: 'agent', label: 'With a coding agent', hint: 'write guides that teach it how' },
    ],
  },
];

const isBot = ({ answers }: Situation): boolean => answers.build === 'bot';

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
    question: situation => [...summaryOf(steps, situation), '', 'Create this bot?'].join('\n'),
    when: isBot,
    initial: true,
    isPersonal: true,
  },
];

const guidesToRefresh = ({ answers, olderGuides }: Situation): readonly string[] =>
  olderGuides(answers.directory ?? '.');
