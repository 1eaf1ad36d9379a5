/** The release of pipecat-ai that generated projects pin, and that the catalogue is checked against. */
export const PIPECAT_RELEASE = '1.14.0';

/** The platform's command line and session types, as generated projects require them. */
export const PIPECATCLOUD_REQUIREMENT = 'pipecatcloud>=1.4,<2';

/** The debugger that observability attaches. */
export const WHISKER_REQUIREMENT = 'pipecat-ai-whisker>=2.0.1,<3';
