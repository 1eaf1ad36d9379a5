import {
  recommendedFirst,
  type ServiceKind,
  type ServiceRow,
  services,
  sharesAccount,
  speaks,
} from '../catalog/index.ts';
import { quickstart } from '../config/quickstart.ts';
import { problemOf } from '../config/values.ts';
import type { Choice } from '../shell/terminal/question.ts';
import {
  choicesOf,
  clientChoices,
  companionChoices,
  DEFAULT_LANGUAGE,
  directionChoices,
  featureChoices,
  isPhone,
  isWeb,
  languageChoices,
  PRESET_FEATURES,
  PRESET_TRANSPORTS,
  transportChoices,
} from './choices.ts';
import type { Answers, Step } from './step.ts';

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

/** The services of which a cascade has one each, in the order of the pipeline. */
const CASCADE = ['stt', 'llm', 'tts'] as const;

/**
 * The services of a kind that know the bot's language: first those of an account that the bot already needs, then the
 * recommended ones, then the others by name. Those that have ended are last.
 */
function serviceChoices(kind: ServiceKind, answers: Answers): Choice[] {
  const { language = DEFAULT_LANGUAGE.value } = answers;
  const rows = services[kind].filter(row => language === DEFAULT_LANGUAGE.value || speaks(row, language));
  const chosen = CASCADE.filter(one => one !== kind).flatMap(one =>
    services[one].filter(({ id }) => id === answers[`${one}_service`]),
  );
  const known = new Set(rows.filter(row => chosen.some(one => sharesAccount(one, row))));
  const order = (row: ServiceRow, other: ServiceRow) =>
    Number(row.ended !== undefined) - Number(other.ended !== undefined) ||
    Number(known.has(other)) - Number(known.has(row)) ||
    recommendedFirst(row, other);
  return rows.sort(order).map(row => {
    const hints = [
      ...(row.ended ? [`ended on ${row.ended.on}`] : []),
      ...(row.recommended === 1 ? ['recommended'] : []),
      ...(known.has(row) ? ['same account'] : []),
      ...(kind === 'stt' && row.recommended && servesAll(row) ? ['one key for all three'] : []),
    ];
    return { value: row.id, label: row.label, id: row.id, ...(hints.length > 0 && { hint: hints.join(', ') }) };
  });
}

/** Whether one account is enough for a recommended cascade. */
const servesAll = (row: ServiceRow): boolean =>
  CASCADE.every(kind => services[kind].some(one => one.recommended && sharesAccount(row, one)));

/** The recommended settings, those without an account, or every question. */
function settingsChoices(): Choice[] {
  const [first] = [...services.stt].sort(recommendedFirst);
  return [
    { value: 'recommended', label: 'Quick start', hint: `needs only an ${first?.label} key` },
    { value: 'local', label: 'Everything on this computer', hint: 'no account, 3 GB of models' },
    { value: 'steps', label: 'Customize', hint: 'services, language, web client, features' },
  ];
}
