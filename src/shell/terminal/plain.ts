import { createInterface, type Key } from 'node:readline';
import { Writable } from 'node:stream';
import { answer, answerLine, type Common, charactersOf, type Questions } from './answer.ts';
import { Cancelled, type Choice, matches, WentBack } from './question.ts';

// Questions as plain lines, for terminals that can't move the cursor, and for screen readers.

const ESC = '\u001b';

/** Asks until `read` returns a value rather than a problem. Only the last line of the question is repeated. */
async function askUntil<Value>(
  question: string,
  common: Common,
  read: (line: string) => { value: Value } | string,
): Promise<Value> {
  for (let shown = question; ; shown = question.slice(question.lastIndexOf('\n') + 1)) {
    common.output.write(`${shown} `);
    const answered = read(await readLine(common));
    if (typeof answered !== 'string') return answered.value;
    common.output.write(`${answered}\n`);
  }
}

/** The next line. The terminal itself shows and edits it; Esc before Enter goes back. */
function readLine({ input, signal }: Common): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input, terminal: false });
    const cancel = () => lines.close();
    signal.addEventListener('abort', cancel);
    lines.once('close', () => reject(new Cancelled()));
    lines.once('line', line => {
      if (line.includes(ESC)) reject(new WentBack());
      else resolve(line.trim());
      lines.close();
      signal.removeEventListener('abort', cancel);
    });
  });
}

const confirm: Questions['confirm'] = (message, { initial = false }, place) =>
  answer(place, common =>
    askUntil(`${message} ${initial ? '[Y/n]' : '[y/N]'}`, common, line => {
      if (line === '') return { value: initial };
      const [letter] = line.toLowerCase();
      return letter === 'y' || letter === 'n' ? { value: letter === 'y' } : 'Answer y or n.';
    }),
  );

const ask: Questions['ask'] = (message, details, place) =>
  answerLine(place, details, ({ validate, ...common }) =>
    askUntil(
      `${message}${details.suggestion ? ` [${details.suggestion}]` : ''}:`,
      common,
      line => validate(line) ?? { value: line },
    ),
  );

const askHidden: Questions['askHidden'] = (message, details, place) =>
  answerLine(place, { ...details, isOnly: true }, async ({ validate, ...common }) => {
    for (;;) {
      const line = await readHidden(`${message} (hidden): `, common);
      common.output.write('\n');
      const problem = validate(line);
      if (!problem && details.countedLength) common.output.write(`${charactersOf(details.countedLength(line))}\n`);
      if (!problem) return line;
      common.output.write(`${problem}\n`);
    }
  });

/** The next line, which the terminal doesn't show. Nobody is asked before that is sure. */
function readHidden(question: string, { input, output, signal }: Common): Promise<string> {
  return new Promise((resolve, reject) => {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input, output: nowhere, terminal: true, escapeCodeTimeout: 50 });
    const onKey = (_: unknown, { name }: Key) => {
      if (name !== 'escape') return;
      reject(new WentBack());
      lines.close();
    };
    const cancel = () => lines.close();
    output.write(question);
    input.on('keypress', onKey);
    signal.addEventListener('abort', cancel);
    lines.once('SIGINT', cancel);
    lines.once('line', line => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      input.off('keypress', onKey);
      signal.removeEventListener('abort', cancel);
      reject(new Cancelled());
    });
  });
}

const choose: Questions['choose'] = (message, { choices, initial }, place) => {
  const first = Math.max(
    choices.findIndex(({ value }) => value === initial),
    0,
  );
  return answer(place, common =>
    askUntil(`${listOf(message, choices)}\nNumber or name [${first + 1}]:`, common, line => {
      const found = line === '' ? choices[first] : findChoice(line, choices);
      return typeof found === 'string' ? found : { value: found?.value ?? '' };
    }),
  );
};

const chooseSome: Questions['chooseSome'] = (message, { choices, initial = [], validate }, place) => {
  const ticked = choices.flatMap(({ value }, at) => (initial.includes(value) ? [at + 1] : []));
  return answer(place, common =>
    askUntil(`${listOf(message, choices)}\nNumbers, 0 for none [${ticked.join(' ') || '0'}]:`, common, line => {
      const words = (line || ticked.join(' ')).split(/[\s,]+/).filter(word => word !== '' && word !== '0');
      const found = words.map(word => findChoice(word, choices));
      const problem = found.find(one => typeof one === 'string');
      if (problem) return problem as string;
      const values = choices.filter(choice => found.includes(choice)).map(({ value }) => value);
      return validate?.(values) ?? { value: values };
    }),
  );
};

export const questions: Questions = { confirm, ask, askHidden, choose, chooseSome };

/** The most choices to list. Longer lists begin with the most likely ones. */
const MOST_CHOICES = 10;

function listOf(message: string, choices: readonly Choice[]): string {
  const lines = choices.slice(0, MOST_CHOICES).map((choice, at) => {
    const { label, id, hint } = choice;
    return `  ${at + 1}. ${[label, ...(id ? [id] : [])].join(', ')}${hint ? ` (${hint})` : ''}`;
  });
  const more = choices.length - lines.length;
  return [message, ...lines, ...(more > 0 ? [`  or the name of one of ${more} others`] : [])].join('\n');
}

function findChoice(line: string, choices: readonly Choice[]): Choice | string {
  const word = line.toLowerCase();
  const exact = choices[Number(line) - 1] ?? choices.find(one => [one.value, one.label.toLowerCase()].includes(word));
  if (exact) return exact;
  const [found, second, ...more] = choices.filter(choice => matches(line, choice));
  if (!found) return `"${line}" isn't in the list.`;
  if (!second) return found;
  const names = [found, second, ...more].slice(0, MOST_CHOICES).map(({ label }) => label);
  return `"${line}" could be ${names.join(' or ')}${more.length > MOST_CHOICES - 2 ? ', and more' : ''}.`;
}
