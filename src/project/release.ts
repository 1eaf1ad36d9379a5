/** The release of pipecat-ai that generated projects pin, and that the catalog is checked against. */
export const PIPECAT_RELEASE = '1.14.0';

/** The requirement of generated projects for the platform's command line and session types. */
export const PIPECATCLOUD_REQUIREMENT = 'pipecatcloud>=1.4,<2';

/** What observability needs besides the framework's extra `tracing`: the debugger, and what sends traces. */
export const OBSERVABILITY_REQUIREMENTS = [
  'pipecat-ai-whisker>=2.0.1,<3',
  'opentelemetry-exporter-otlp-proto-http>=1.33,<2',
];

/** The framework with one release, in a list of requirements. */
export const FRAMEWORK_PIN = /(\bpipecat-ai(?:\[[^\]]*\])?\s*==\s*)(\d+\.\d+\.\d+)(?![\w.*])/g;

/** The release of the framework that a list of requirements names; nothing if it allows several. */
export const frameworkPin = (requirements: string): string | undefined =>
  [...requirements.matchAll(FRAMEWORK_PIN)][0]?.[2];
