/** Credentials that a provider's library looks for on the machine if the bot passes none. */
export interface MachineCredentials {
  /** Whose they are. */
  of: string;
  /** Where the library looks, in words. */
  where: string;
  /** Variables of which one is enough. */
  variables: readonly string[];
  /** Files of which one is enough, below the home directory, with `/`. */
  files: readonly string[];
  /** How to get them. */
  hint: string;
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html */
export const AWS: MachineCredentials = {
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

/** https://cloud.google.com/docs/authentication/application-default-credentials */
export const GOOGLE_CLOUD: MachineCredentials = {
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
