import { LANGUAGES, languageName, ownName, type ServiceKind, services, speaks } from '../catalog/index.ts';
import { remembered } from '../remembered.ts';
import type { Choice } from '../shell/terminal/question.ts';
import type { Answers } from './step.ts';

/** The choice that leaves the language to the libraries. */
export const DEFAULT_LANGUAGE: Choice = { value: 'default', label: 'English', hint: 'default' };

/** English, as the libraries have it by default, and every other language that such a bot can speak, by name. */
export const languageChoices = ({ mode }: Answers): Choice[] => languagesOf(mode === 'realtime' ? REALTIME : CASCADE);

/** The services that hear and speak. */
const CASCADE: readonly ServiceKind[] = ['stt', 'tts'];
const REALTIME: readonly ServiceKind[] = ['realtime'];

/** The choices are asked for again and again, and take a while to compute. */
const languagesOf = remembered((kinds: readonly ServiceKind[]): Choice[] => {
  const isSpoken = (code: string) => kinds.every(kind => services[kind].some(row => speaks(row, code)));
  const others = LANGUAGES.filter(code => code !== 'en' && isSpoken(code));
  const choices = others.map(code => {
    return { value: code, label: languageName(code), id: code, alias: ownName(code) ?? '' };
  });
  const { compare } = new Intl.Collator('en');
  return [DEFAULT_LANGUAGE, ...choices.sort((one, other) => compare(one.label, other.label))];
});
