// What the platform says about builds and agents, as far as botcli reads it.

export interface Build {
  id: string;
  /** `pending`, `building`, `success`, `failed`, `timeout`, or a status that we don't know yet. */
  status: string;
  region?: string;
  contextHash?: string;
  dockerfilePath?: string;
  errorMessage?: string;
  createdAt?: string;
  buildDurationSeconds?: number;
}

/** A place to upload a build context to. The address and the fields are secret. */
export interface UploadTarget {
  uploadId: string;
  uploadUrl: string;
  /** Form fields, in order. */
  uploadFields: Record<string, string>;
  /** An ISO date. */
  expiresAt?: string;
}

/** What instances of a deployment do. */
export interface Health {
  ready?: boolean;
  state?: string;
  restartCount?: number;
  /** Such as `CrashLoopBackOff`, `ImagePullBackOff`, or `OOMKilled`. */
  reason?: string;
  lastExitCode?: number;
  lastTerminationReason?: string;
  headline?: string;
  /** Several lines: a traceback. */
  message?: string;
}

interface Revision {
  deploymentID?: string;
  /** `Creating`, `Validating`, `Active`, `Draining`, or `Failed`. */
  phase?: string;
  readyReplicas?: number;
  health?: Health;
}

export interface Deployment {
  id: string;
  createdAt?: string;
  buildId?: string;
  manifest?: {
    spec?: {
      image?: string;
      autoScaling?: { minReplicas?: number; maxReplicas?: number };
      imagePullSecretName?: string;
      envFromSecretNames: string[];
      maxSessionDurationSeconds?: number;
      krispViva?: { audioFilters?: boolean };
    };
  };
}

/** An agent: a deployed bot. */
export interface Agent {
  name: string;
  region: string;
  createdAt?: string;
  ready?: boolean;
  available?: boolean;
  desiredDeploymentId?: string;
  reconciledDeploymentId?: string;
  activeDeploymentReady?: boolean;
  activeSessionCount?: number;
  agentProfile?: string;
  autoScaling?: { minReplicas?: number; maxReplicas?: number };
  krispViva?: { audioFilter?: string };
  /** The documents don't say whether the platform shows it. */
  websocketAuth?: string;
  /** Whether GitHub deploys it, too. */
  git?: object;
  errors: { code: string; message?: string; error?: string }[];
  deployment?: Deployment;
  currentRevision?: Revision;
}

export interface LogLine {
  log: string;
  /** Nanoseconds since 1970, as a decimal string, or an ISO date; empty if the platform names none. */
  timestamp: string;
  deploymentId?: string;
}

export interface BotSession {
  sessionId: string;
  deploymentId?: string;
  createdAt?: string;
  endedAt?: string;
  botStartSeconds?: number;
  endState?: string;
  events: { eventCode: string }[];
}
