/** The release of pipecat-ai that generated projects pin, and that the catalog is checked against. */
export const PIPECAT_RELEASE = '1.14.0';

/** The requirement of generated projects for the platform's command line and session types. */
export const PIPECATCLOUD_REQUIREMENT = 'pipecatcloud>=1.4,<2';

/** The debugger for observability. */
export const WHISKER_REQUIREMENT = 'pipecat-ai-whisker>=2.0.1,<3';
