import { baseOf, knownAs, languageName } from '../../catalog/index.ts';
import { moonshine } from '../../catalog/language-lists.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { MOST_COLUMNS } from '../../formats/python/calls.ts';
import { breakLines } from '../../text.ts';
import { py } from '../quote.ts';

const INDENT = '    ';

/** What the bot is told about its language. The name is empty if none was chosen. */
export function instructionsOf(config: ScaffoldConfig) {
  const { language } = config;
  const name = language === null ? '' : languageName(language);
  return {
    languageName: name,
    evalTranscriber: transcriberOf(config),
    evalLanguage: language === null ? '' : baseOf(language),
    /** For text about what people hear: the region of a dialect doesn't matter there. */
    inLanguage: language === null ? '' : ` in ${languageName(baseOf(language))}`,
    inThatLanguage: language === null ? '' : `, in ${languageName(baseOf(language))}`,
    greeting: assignText(
      'GREETING',
      `Greet the person${name && ` in ${name}`} and say in one sentence what you can help with.`,
    ),
  };
}

/** What transcribes the bot's words in an eval, as the service and the extra are called: Moonshine, if it knows the language. */
export const transcriberOf = ({ language }: ScaffoldConfig): 'moonshine' | 'whisper' =>
  language === null || knownAs(moonshine, language) !== undefined ? 'moonshine' : 'whisper';

/** Python that assigns a text: on one line if that fits, otherwise in parentheses, as ruff formats it. */
export function assignText(variable: string, text: string): string {
  const line = `${variable} = ${py(text)}`;
  if (line.length <= MOST_COLUMNS) return line;
  const most = MOST_COLUMNS - INDENT.length - '""'.length;
  const parts = text.length <= most ? [text] : breakLines(text.split(' '), most - ' '.length, '');
  const lines = parts.map((part, at) => `${INDENT}${py(at < parts.length - 1 ? `${part} ` : part)}\n`);
  return `${variable} = (\n${lines.join('')})`;
}
