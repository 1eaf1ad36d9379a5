import { services } from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { quickstart } from '../config/quickstart.ts';
import type { Choice } from '../shell/terminal/question.ts';
import { isWeb } from './choices.ts';
import type { Answers } from './step.ts';

type Feature = NonNullable<Answers['features']>[number];

const FEATURES: readonly (Choice & { value: Feature; when?: (answers: Answers) => boolean })[] = [
  { value: 'recording', label: 'Recording', hint: 'an audio file of each conversation' },
  { value: 'transcription', label: 'Transcription', hint: 'a log of what was said' },
  {
    value: 'video_input',
    label: 'Video input',
    hint: 'the bot sees the camera',
    when: answers => isWeb(answers) && sees(answers),
  },
  { value: 'video_output', label: 'Video output', hint: 'the bot shows a picture', when: isWeb },
  { value: 'avatar', label: 'Video avatar', hint: 'a face that speaks', when: isWeb },
  { value: 'enable_observability', label: 'Observability', hint: 'a debugger and metrics' },
  { value: 'enable_eval', label: 'Evals', hint: 'test conversations' },
  { value: 'journal', label: 'Journal', hint: 'where the time of each call went' },
  { value: 'deploy_to_cloud', label: 'Cloud deployment', hint: 'the files for it' },
  { value: 'enable_noisecancel', label: 'Noise cancellation', hint: 'in the cloud' },
];

/** The features of a bot. An avatar brings its own video output. */
export function featuresOf(config: ScaffoldConfig): Feature[] {
  const hasAvatar = config.video_service !== null;
  const isOn = (value: Feature) =>
    value === 'avatar' ? hasAvatar : config[value] && !(value === 'video_output' && hasAvatar);
  return FEATURES.flatMap(({ value }) => (isOn(value) ? [value] : []));
}

/** The features that are on unless they're turned off. */
export const PRESET_FEATURES = featuresOf(quickstart);

export const featureChoices = (answers: Answers): Choice[] =>
  FEATURES.filter(({ when }) => when?.(answers) ?? true).map(({ when: _, ...choice }) => choice);

/** A language model gets images through a tool; a speech-to-speech service takes images itself, or can't see any. */
function sees({ mode, realtime_service: id }: Answers): boolean {
  return mode !== 'realtime' || services.realtime.some(row => row.id === id && row.sees);
}
