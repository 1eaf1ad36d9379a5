import { capitalize } from '../text.ts';
import type { Argument, MachineCredentials, ServiceRow, VariableArgument } from './service.ts';

type LanguageArgument = Extract<Argument, { inLanguage: string }>;

/** An argument that the service can't work without. */
export const needs = (name: string, env: string, description: string): VariableArgument => ({
  name,
  env,
  description,
  required: true,
});

/** An argument with a default in the library. */
export const takes = (name: string, env: string, description = capitalize(name)): VariableArgument => ({
  name,
  env,
  description,
  required: false,
});

/** The variables of a service begin with its provider, which its id begins with. */
const providerOf = (id: string): string => id.replace(/_.*/, '').toUpperCase();

/** A row of the catalog: by default, it takes its provider's key; a language model also takes a model, if it's set. */
export const service = (id: string, label: string, className: string, more: Partial<ServiceRow> = {}): ServiceRow => ({
  id,
  label,
  className,
  args: [apiKey(`${providerOf(id)}_API_KEY`)],
  ...(id.endsWith('_llm') && { settings: [takes('model', `${providerOf(id)}_MODEL`)] }),
  ...more,
});

/** The `model` of a speech service. */
export const model = (env: string, inLanguages?: Readonly<Record<string, string>>): VariableArgument => ({
  ...takes('model', env, env.includes('_STT_') ? 'Speech-to-text model' : 'Text-to-speech model'),
  ...(inLanguages && { inLanguages }),
});

/** An argument with its default in the library, for `bot.py` to show. */
export const usually = (usual: string, argument: VariableArgument): VariableArgument => ({ ...argument, usual });

/** A `voice` whose default, if the library has one, speaks English; the voices are those for other languages. */
export const voice = (argument: VariableArgument, voices: Readonly<Record<string, string>> = {}): VariableArgument => ({
  ...argument,
  inLanguages: voices,
});

/** The setting for the language, which most services have. */
export const language: LanguageArgument = { name: 'language', inLanguage: '<language>' };

/** An argument that is set by the bot's language. */
export const spoken = (
  name: string,
  inLanguage: string,
  more: Pick<LanguageArgument, 'notInEnglish' | 'code' | 'imports'> = {},
): LanguageArgument => ({ name, inLanguage, ...more });

/** The address of a server of your own that speaks OpenAI's protocol: its library reads the variable. */
export const compatibleServer = takes(
  '',
  'OPENAI_BASE_URL',
  'Address of a compatible server for these services, such as http://localhost:8000/v1',
);

export const code = (name: string, expression: string) => ({ name, code: expression });

export const object = (name: string, className: string, ...args: Argument[]) => ({
  name,
  className,
  args,
});

export const apiKey = (env: string): VariableArgument => needs('api_key', env, 'API key');

/**
 * The credentials of Google Cloud: a file or, where there is none, its contents. By default, the library uses the machine's
 * credentials, if it finds any.
 */
const googleCredentials: readonly VariableArgument[] = [
  takes(
    'credentials_path',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'Path of the service account file, such as google-credentials.json, which git and the image ignore',
  ),
  takes('credentials', 'GOOGLE_CREDENTIALS_JSON', 'Contents of that file, for the cloud'),
];

/** https://cloud.google.com/docs/authentication/application-default-credentials */
const GOOGLE_CLOUD: MachineCredentials = {
  of: 'Google Cloud',
  where: 'GOOGLE_APPLICATION_CREDENTIALS, or the application default credentials of the machine',
  variables: ['GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_CREDENTIALS_JSON'],
  files: [
    '.config/gcloud/application_default_credentials.json',
    'AppData/Roaming/gcloud/application_default_credentials.json',
  ],
  hint:
    'Set GOOGLE_APPLICATION_CREDENTIALS to the path of a service account file, or run: ' +
    'gcloud auth application-default login. A service account of this machine works, too.',
};

/** What all services of Google Cloud have in common: the credentials, and how to pass them in the cloud. */
export const googleCloud = (...args: Argument[]): Partial<ServiceRow> => ({
  args: [...googleCredentials, ...args],
  credentials: GOOGLE_CLOUD,
  inCloud:
    "Git and the image ignore Google's service account file under its usual names, such as\n" +
    '`google-credentials.json`. For the cloud, put its contents into `.env`, in single quotes, as `GOOGLE_CREDENTIALS_JSON`.',
});

/** https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html */
const AWS: MachineCredentials = {
  of: 'AWS',
  where: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile or role of the machine',
  variables: [
    'AWS_ACCESS_KEY_ID',
    'AWS_PROFILE',
    'AWS_WEB_IDENTITY_TOKEN_FILE',
    'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
    'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  ],
  files: ['.aws/credentials', '.aws/config'],
  hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run: aws configure. A role of this machine works, too.',
};

const awsToken = takes('', 'AWS_SESSION_TOKEN', 'Session token, for temporary credentials');

/** The keys that some services of AWS read from the environment, and nowhere else. */
const awsKeys: readonly VariableArgument[] = [
  needs('', 'AWS_ACCESS_KEY_ID', 'Access key ID'),
  needs('', 'AWS_SECRET_ACCESS_KEY', 'Secret access key'),
  awsToken,
];

/** What services on SageMaker have in common; `extra` is that of their provider. */
export const sageMaker = (extra: string): Partial<ServiceRow> => ({
  extras: [extra, 'sagemaker'],
  ambient: awsKeys,
  python: '3.12',
});

/** Where a model of Deepgram's runs on SageMaker. The variables begin with `prefix`. */
export const deepgramEndpoint = (prefix: string): readonly VariableArgument[] => [
  needs('endpoint_name', `${prefix}_ENDPOINT_NAME`, 'Endpoint'),
  needs('region', `${prefix}_REGION`, 'Region'),
];

/** What services of AWS have in common that also find the credentials of a profile or a role. */
export const awsCredentials: Partial<ServiceRow> = {
  credentials: AWS,
  ambient: [
    takes('', 'AWS_ACCESS_KEY_ID', 'Access key ID (default: the credentials of your AWS profile or role)'),
    takes('', 'AWS_SECRET_ACCESS_KEY', 'Secret access key (default: that of your AWS profile or role)'),
    awsToken,
    takes('', 'AWS_PROFILE', 'Profile of the AWS command line (default: its default profile)'),
  ],
  inCloud:
    "On your machine, the bot uses your AWS profile. The cloud doesn't have it: before you upload `.env`, set\n" +
    '`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` there.',
};
