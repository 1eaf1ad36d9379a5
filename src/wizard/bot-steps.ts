import type { ServiceKind } from '../catalog/index.ts';
import { problemOf } from '../config/values.ts';
import {
  avatarChoices,
  choicesOf,
  companionChoices,
  directionChoices,
  featureChoices,
  isWeb,
  languageChoices,
  serviceChoices,
  transportChoices,
} from './choices.ts';
import type { Situation, Step } from './step.ts';

const service = (kind: Exclude<ServiceKind, 'video'>, mode: string, title: string): Step => ({
  key: `${kind}_service`,
  kind: 'one',
  title,
  question: title,
  when: ({ answers }) => answers.mode === mode,
  choices: ({ answers }) => serviceChoices(kind, answers),
});

/** The questions about a bot, in order. */
export const botSteps: readonly Step[] = [
  {
    key: 'project_name',
    kind: 'text',
    title: 'Name',
    question: 'Project name',
    initial: ({ answers, nameOf }) => nameOf(answers.directory ?? '.'),
    validate: answer => problemOf('project_name', answer),
  },
  {
    key: 'bot_type',
    kind: 'one',
    title: 'Talks over',
    question: 'Where do people meet it?',
    choices: () => choicesOf('bot_type'),
  },
  {
    key: 'client_framework',
    kind: 'one',
    title: 'Client',
    question: 'Which web client?',
    when: ({ answers }) => isWeb(answers),
    choices: () => choicesOf('client_framework'),
  },
  {
    key: 'client_server',
    kind: 'one',
    title: 'Client server',
    question: 'What serves the client?',
    when: ({ answers }) => answers.client_framework === 'component',
    choices: () => choicesOf('client_server'),
  },
  {
    key: 'transport',
    kind: 'one',
    title: 'Transport',
    question: ({ answers }) => (isWeb(answers) ? 'Which transport?' : 'Which phone provider?'),
    choices: ({ answers }) => transportChoices(isWeb(answers) ? 'web' : 'telephony'),
  },
  {
    key: 'direction',
    kind: 'one',
    title: 'Calls',
    question: 'Who calls whom?',
    choices: ({ answers }) => directionChoices(answers),
  },
  {
    key: 'more_transports',
    kind: 'some',
    title: 'Also over',
    question: ({ answers }) => (isWeb(answers) ? 'Add another transport?' : 'Add others, e.g. for testing?'),
    choices: ({ answers }) => companionChoices(answers),
  },
  { key: 'mode', kind: 'one', title: 'Pipeline', question: 'How does it think?', choices: () => choicesOf('mode') },
  {
    key: 'language',
    kind: 'one',
    title: 'Language',
    question: 'Which language does it speak?',
    choices: ({ answers }) => languageChoices(answers),
  },
  service('stt', 'cascade', 'Speech-to-text'),
  service('llm', 'cascade', 'Language model'),
  service('tts', 'cascade', 'Text-to-speech'),
  service('realtime', 'realtime', 'Speech-to-speech'),
  { key: 'customise', kind: 'yes-no', question: 'Add features, such as recording?', initial: false },
  {
    key: 'video_service',
    kind: 'one',
    title: 'Avatar',
    question: 'A face for the bot?',
    when: situation => isCustomised(situation) && isWeb(situation.answers),
    choices: avatarChoices,
  },
  {
    key: 'features',
    kind: 'some',
    title: 'Features',
    question: 'Which features?',
    when: isCustomised,
    choices: ({ answers }) => featureChoices(answers),
  },
  {
    key: 'deploy_to_cloud',
    kind: 'yes-no',
    title: 'Cloud files',
    question: 'Add cloud deployment files?',
    initial: true,
  },
  {
    key: 'enable_noisecancel',
    kind: 'yes-no',
    title: 'Noise filter',
    question: 'Noise cancellation in the cloud?',
    when: ({ answers }) => answers.deploy_to_cloud === true,
    initial: false,
  },
  {
    key: 'enable_eval',
    kind: 'yes-no',
    title: 'Evals',
    question: 'Add test conversations (evals)?',
    initial: false,
  },
];

function isCustomised({ answers }: Situation): boolean {
  return answers.customise === true;
}
