import {
  AutocompletePrompt,
  ConfirmPrompt,
  MultiSelectPrompt,
  PasswordPrompt,
  type Prompt,
  SelectPrompt,
  TextPrompt,
  wrapTextWithPrefix,
} from '@clack/core';
import { breakLines, separated } from '../../text.ts';
import { answer, answerLine, charactersOf, type Place, type Questions } from './answer.ts';
import { type Choice, matches, type Question } from './question.ts';
import type { Style } from './style.ts';

const MOST_CHOICES_AT_A_GLANCE = 9;

type Shown = Pick<Prompt<unknown>, 'state' | 'error' | 'userInput'>;

/**
 * Returns what draws a question: the lines below it (choices, or the text so far), and while it waits, the keys to
 * answer with. No line is wider than the terminal, and a line on the left continues next to those that wrap.
 */
function drawerOf(message: string, { isJoined = false }: Question, place: Place) {
  const { screen, style, symbols } = place;
  return (shown: Shown, body: readonly string[], keys?: string): string => {
    const [mark, paint] = lookOf(shown, place);
    const bar = (isOver(shown) ? style.dim : paint)(symbols.bar);
    const prefix = isJoined ? `${bar}  ` : '';
    const wrap = (text: string, first = prefix) => wrapTextWithPrefix(screen.stream, text, prefix, first);
    const problem = shown.state === 'error' && shown.error ? [style.yellow(shown.error)] : [];
    const lines = [
      ...(isJoined ? [style.dim(symbols.bar)] : []),
      wrap(message, `${paint(mark)}  `),
      ...[...body, ...problem, ...(keys && !isOver(shown) ? [style.dim(keys)] : [])].map(line => wrap(line)),
      ...(isJoined && !isOver(shown) ? [paint(symbols.end)] : []),
    ];
    // A bar before nothing would leave blanks at the end of the line.
    return lines.join('\n').replaceAll(`${bar}  \n`, `${bar}\n`);
  };
}

const confirm: Questions['confirm'] = (message, details, place) => {
  const draw = drawerOf(message, details, place);
  const { style, symbols } = place;
  const { initial = false } = details;
  return answer<boolean>(place, common =>
    new ConfirmPrompt({
      ...common,
      active: 'Yes',
      inactive: 'No',
      initialValue: initial,
      render() {
        if (isOver(this)) return draw(this, [style.dim(this.value ? 'Yes' : 'No')]);
        const option = (word: string, isOn: boolean) =>
          isOn ? `${style.green(symbols.on)} ${word}` : style.dim(`${symbols.off} ${word}`);
        return draw(this, [`${option('Yes', this.value === true)} ${style.dim('/')} ${option('No', !this.value)}`]);
      },
    }).prompt(),
  );
};

const ask: Questions['ask'] = (message, details, place) => {
  const draw = drawerOf(message, details, place);
  const { style, symbols } = place;
  const { suggestion = '' } = details;
  return answerLine(place, details, common =>
    new TextPrompt({
      ...common,
      render() {
        const { userInput, cursor } = this;
        if (isOver(this)) return draw(this, [style.dim(userInput || suggestion)]);
        if (userInput === '') return draw(this, [`${symbols.cursor}${style.dim(suggestion)}`]);
        return draw(this, [`${userInput.slice(0, cursor)}${symbols.cursor}${userInput.slice(cursor)}`]);
      },
    }).prompt(),
  );
};

const askHidden: Questions['askHidden'] = (message, details, place) => {
  const draw = drawerOf(`${message} (hidden)`, details, place);
  return answerLine(place, { ...details, isOnly: true }, common => {
    const prompt = new PasswordPrompt({
      ...common,
      validate(line) {
        const problem = common.validate(line);
        // Nobody can correct what they can't see, and a second paste must not be added to it.
        if (problem) setImmediate(() => prompt.clear());
        return problem;
      },
      render() {
        const { countedLength } = details;
        const typed = this.state === 'error' ? '' : this.userInput;
        if (isOver(this)) return draw(this, countedLength ? [place.style.dim(charactersOf(countedLength(typed)))] : []);
        const dots = countedLength ? place.symbols.dot.repeat(typed.length) : '';
        return draw(this, [`${dots}${place.symbols.cursor}`]);
      },
    });
    return prompt.prompt();
  });
};

const choose: Questions['choose'] = (message, details, place) => {
  const { choices, initial } = details;
  const draw = drawerOf(message, details, place);
  const { style, symbols } = place;
  const mark = (isActive: boolean) => (isActive ? `${style.green(symbols.on)} ` : `${style.dim(symbols.off)} `);
  if (choices.length <= MOST_CHOICES_AT_A_GLANCE) {
    return answer<string>(place, common =>
      new SelectPrompt<Choice>({
        ...common,
        options: [...choices],
        initialValue: initial,
        render() {
          if (isOver(this)) return draw(this, [style.dim(choices[this.cursor]?.label ?? '')]);
          const rows = listOf(choices, this.cursor, place, mark);
          return draw(this, rows, `${symbols.arrows} to move, Enter to choose`);
        },
      }).prompt(),
    );
  }
  const known = new Map(choices.map(choice => [choice.value, choice]));
  let searched = '';
  /** With each change of the search, the best match becomes the chosen one. */
  function ranked(this: AutocompletePrompt<Choice>): Choice[] {
    const { userInput = '' } = this;
    if (userInput !== searched) this.focusedValue = userInput === '' ? initial : undefined;
    searched = userInput;
    return rankFor(userInput, choices);
  }
  return answer<string>(
    place,
    common =>
      new AutocompletePrompt<Choice>({
        ...common,
        options: ranked,
        initialValue: initial === undefined ? undefined : [initial],
        filter: matches,
        // If the search finds nothing, Enter would return no value.
        validate: value => (value === undefined ? 'Choose one from the list' : undefined),
        render() {
          const { filteredOptions: found, userInput, focusedValue, cursor } = this;
          if (isOver(this)) return draw(this, [style.dim(known.get(focusedValue as string)?.label ?? userInput)]);
          const count = found.length === choices.length ? '' : style.dim(` (${found.length} of ${choices.length})`);
          const search = `${style.dim('Search:')} ${userInput}${symbols.cursor}${count}`;
          const rows = found.length > 0 ? listOf(found, cursor, place, mark, true) : [style.yellow('No matches')];
          return draw(this, [search, ...rows], `Type to search, ${symbols.arrows} to move, Enter to choose`);
        },
      }).prompt() as Promise<string | symbol | undefined>,
  );
};

const chooseSome: Questions['chooseSome'] = async (message, details, place) => {
  const { choices, initial = [], validate } = details;
  const draw = drawerOf(message, details, place);
  const { style, symbols } = place;
  const chosen = await answer<string[]>(place, common =>
    new MultiSelectPrompt<Choice>({
      ...common,
      options: [...choices],
      initialValues: [...initial],
      required: false,
      validate: values => validate?.(values ?? []),
      render() {
        const { value = [], cursor } = this;
        const ticked = choices.filter(one => value.includes(one.value)).map(({ label }) => label);
        if (isOver(this)) return draw(this, [style.dim(separated(ticked) || 'none')]);
        const mark = (isActive: boolean, one?: Choice) => {
          const tick = one && value.includes(one.value) ? style.green(symbols.ticked) : style.dim(symbols.unticked);
          return `${isActive ? style.green(symbols.pointer) : ' '} ${tick} `;
        };
        const rows = listOf(choices, cursor, place, mark);
        return draw(this, rows, `${symbols.arrows} to move, Space to tick, Enter to go on`);
      },
    }).prompt(),
  );
  return choices.map(({ value }) => value).filter(value => chosen.includes(value));
};

export const questions: Questions = { confirm, ask, askHidden, choose, chooseSome };

const isOver = ({ state }: Shown) => state === 'submit' || state === 'cancel';

function lookOf({ state }: Shown, { symbols, style }: Place) {
  if (state === 'error') return [symbols.error, style.yellow] as const;
  if (state === 'submit') return [symbols.done, style.green] as const;
  return state === 'cancel' ? ([symbols.canceled, style.red] as const) : ([symbols.active, style.cyan] as const);
}

const LINES_SHOWN = 18;
const MATCHES_SHOWN = 10;
/** The lines around a list: its question, its keys and the lines that join questions. */
const AROUND_LIST = 7;
/** The width of what is drawn before a choice: the line on the left, and the marks. */
const MARGIN = 9;

/** The lines of the choices that fit, with a mark before each. The label of the active one stands out. */
function listOf(
  choices: readonly Choice[],
  active: number,
  { screen: { stream }, style, symbols }: Place,
  mark: (isActive: boolean, choice?: Choice) => string,
  isDense = false,
): string[] {
  const rows = layOut(choices, { columns: stream.columns - MARGIN, isDense, style });
  const most = Math.max(Math.min(isDense ? MATCHES_SHOWN : LINES_SHOWN, stream.rows - AROUND_LIST), 3);
  const [from, to] = windowOf(rows, active, most);
  const lines = rows.slice(from, to).flatMap(([first, ...more], at) => {
    const isActive = from + at === active;
    return [
      mark(isActive, choices[from + at]) + (isActive ? style.cyan(first) : first),
      ...more.map(line => `  ${line}`),
    ];
  });
  const notice = (count: number, where: string) =>
    count > 0 ? [style.dim(`${symbols.more} ${count} more ${where}`)] : [];
  return [...notice(from, 'above'), ...lines, ...notice(rows.length - to, 'below')];
}

/** The rows around the active one that fit whole in a number of lines. */
function windowOf(rows: readonly (readonly string[])[], active: number, most: number): [from: number, to: number] {
  let [from, to] = [active, Math.min(active + 1, rows.length)];
  const fits = (start: number, end: number) => rows.slice(start, end).flat().length <= most;
  for (let before = -1; before !== to - from; ) {
    before = to - from;
    if (to < rows.length && fits(from, to + 1)) to += 1;
    if (from > 0 && fits(from - 1, to)) from -= 1;
  }
  return [from, to];
}

/**
 * Lays out choices, with their explanations. If lines are too long, ids are omitted first. Then the explanations go
 * below their choices; in a dense list, they are cut at a comma, or omitted.
 */
function layOut(
  choices: readonly Choice[],
  { columns, isDense, style }: { columns: number; isDense: boolean; style: Style },
): (readonly [first: string, ...more: string[]])[] {
  const withHint = (text: string, hint?: string) => text.length + (hint ? hint.length + 3 : 0);
  const withId = ({ label, id }: Choice) => (id ? `${label} ${id}` : label);
  const hasIds = choices.every(one => withHint(withId(one), isDense ? '' : one.hint) <= columns);
  return choices.map(choice => {
    const { label, id, hint } = choice;
    const shown = hasIds && id ? `${label} ${style.dim(id)}` : label;
    if (!hint) return [shown];
    const fits = (text: string) => withHint(hasIds ? withId(choice) : label, text) <= columns;
    const [start = ''] = hint.split(', ');
    const short = [hint, start].find(fits);
    if (short === hint || (isDense && short)) return [`${shown} ${style.dim(`(${short})`)}`];
    return isDense ? [shown] : [shown, ...breakLines(hint.split(' '), columns, '  ').map(style.dim)];
  });
}

/** The choices in the order of a search: first those that are called so, then those of which a name starts so. */
function rankFor(search: string, choices: readonly Choice[]): Choice[] {
  const typed = search.trim().toLowerCase();
  const distanceTo = ({ label, id = '', alias = '' }: Choice) => {
    const names = [id, label, alias].map(name => name.toLowerCase());
    if (names.includes(typed)) return 0;
    return names.some(name => name.startsWith(typed)) ? 1 : 2;
  };
  return typed === '' ? [...choices] : [...choices].sort((one, other) => distanceTo(one) - distanceTo(other));
}
