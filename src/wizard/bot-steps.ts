import type { ServiceKind } from '../catalog/index.ts';
import { quickstart } from '../config/quickstart.ts';
import { problemOf } from '../config/values.ts';
import {
  choicesOf,
  clientChoices,
  companionChoices,
  directionChoices,
  isPhone,
  isWeb,
  PRESET_TRANSPORTS,
  transportChoices,
} from './choices.ts';
import { featureChoices, PRESET_FEATURES } from './features.ts';
import { languageChoices } from './languages.ts';
import { serviceChoices, settingsChoices } from './services.ts';
import type { Step } from './step.ts';

const service = (kind: Exclude<ServiceKind, 'video'>, mode: string, title: string, question: string): Step => ({
  key: `${kind}_service`,
  kind: 'one',
  title,
  question,
  when: ({ answers }) => answers.mode === mode,
  choices: ({ answers }) => serviceChoices(kind, answers),
});

export const botSteps: readonly Step[] = [
  {
    key: 'settings',
    kind: 'one',
    question: 'Quick start, or choose everything?',
    when: ({ answers }) => answers.build !== 'change',
    choices: settingsChoices,
  },
  {
    key: 'project_name',
    kind: 'text',
    title: 'Name',
    question: 'Project name',
    // The name is the directory's, unless that can't be one.
    when: ({ answers, nameOf }) =>
      answers.build !== 'change' && problemOf('project_name', nameOf(answers.directory ?? '.')) !== undefined,
    initial: () => 'bot',
    validate: answer => problemOf('project_name', answer),
    isPersonal: true,
  },
  {
    key: 'bot_type',
    kind: 'one',
    title: 'Access',
    question: 'How will people talk to it?',
    choices: () => choicesOf('bot_type'),
    isPersonal: true,
  },
  {
    key: 'client',
    kind: 'one',
    title: 'Web client',
    question: 'Which web client?',
    when: ({ answers }) => isWeb(answers),
    choices: ({ answers }) => clientChoices(answers),
  },
  {
    key: 'transport',
    kind: 'one',
    title: 'Phone provider',
    question: 'Which phone provider?',
    when: ({ answers }) => isPhone(answers),
    choices: () => transportChoices('telephony'),
    isPersonal: true,
  },
  {
    key: 'direction',
    kind: 'one',
    title: 'Calls',
    question: 'Who calls whom?',
    choices: ({ answers }) => directionChoices(answers),
    isPersonal: true,
  },
  {
    key: 'more_transports',
    kind: 'some',
    title: 'Transports',
    question: 'How should audio travel?',
    when: ({ answers }) => isWeb(answers),
    choices: () => transportChoices('web'),
    initial: quickstart.transports,
    validate: values => (values.length === 0 ? 'Choose at least one' : undefined),
  },
  {
    key: 'more_transports',
    kind: 'some',
    title: 'Also over',
    question: 'Also reachable another way?',
    when: ({ answers }) => isPhone(answers),
    choices: ({ answers }) => companionChoices(answers),
    initial: PRESET_TRANSPORTS,
  },
  {
    key: 'mode',
    kind: 'one',
    title: 'Pipeline',
    question: 'How should it think?',
    choices: () => choicesOf('mode'),
  },
  {
    key: 'language',
    kind: 'one',
    title: 'Language',
    question: 'Which language does it speak?',
    choices: ({ answers }) => languageChoices(answers),
  },
  service('stt', 'cascade', 'Speech-to-text', 'Which service listens?'),
  service('llm', 'cascade', 'Language model', 'Which service writes the answers?'),
  service('tts', 'cascade', 'Text-to-speech', 'Which service speaks?'),
  service('realtime', 'realtime', 'Speech-to-speech', 'Which service listens and speaks?'),
  {
    key: 'features',
    kind: 'some',
    title: 'Features',
    question: 'Which features?',
    choices: ({ answers }) => featureChoices(answers),
    initial: PRESET_FEATURES,
    validate: values =>
      values.includes('enable_noisecancel') && !values.includes('deploy_to_cloud')
        ? 'Noise cancellation needs Cloud deployment'
        : undefined,
  },
  {
    key: 'video_service',
    kind: 'one',
    title: 'Avatar',
    question: 'Which avatar service?',
    when: ({ answers: { features = [] } }) => features.includes('avatar'),
    choices: ({ answers }) => serviceChoices('video', answers),
  },
];
