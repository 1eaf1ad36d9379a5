import assert from 'node:assert/strict';
import { Cancelled, WentBack } from '../../src/shell/terminal/question.ts';
import { createTerminal, type Terminal } from '../../src/shell/terminal.ts';

/** A person's reaction to a question: an answer, the default, back, or Ctrl-C. */
export type Deed = string | boolean | readonly string[] | typeof ENTER | typeof ESC | typeof LEAVE;

export const ENTER = Symbol('Enter');
export const ESC = Symbol('Esc');
export const LEAVE = Symbol('Ctrl-C');

/** A question as a person sees it. */
export interface Asked {
  question: string;
  values?: string[];
  /** The answer that Enter alone gives. */
  proposed: string | boolean | readonly string[];
}

/** A terminal with a scripted person at it, who answers with `react`. An invalid answer fails the test. */
export function sitDown(react: (asked: Asked, at: number) => Deed, cwd = '/nowhere') {
  const asked: Asked[] = [];
  const lines: string[] = [];
  const meet = (question: Asked) => {
    asked.push(question);
    const deed = react(question, asked.length - 1);
    if (deed === ESC) throw new WentBack();
    if (deed === LEAVE) throw new Cancelled();
    return deed === ENTER ? question.proposed : deed;
  };
  const type = async (question: string, { suggestion = '', validate }: Parameters<Terminal['ask']>[1]) => {
    const value = meet({ question, proposed: suggestion }) as string;
    assert.equal(validate?.(value), undefined, question);
    return value;
  };
  const prompts: Pick<Terminal, 'confirm' | 'ask' | 'askHidden' | 'choose' | 'chooseSome' | 'takeBack'> = {
    confirm: async (question, { initial = false }) => meet({ question, proposed: initial }) as boolean,
    ask: type,
    askHidden: type,
    choose: async (question, { choices, initial = choices[0]?.value ?? '' }) => {
      const values = choices.map(({ value }) => value);
      const value = meet({ question, values, proposed: initial }) as string;
      assert(values.includes(value), `${question} ${value} is none of ${values.join(', ')}`);
      return value;
    },
    chooseSome: async (question, { choices, initial = [], validate }) => {
      const values = choices.map(({ value }) => value);
      for (;;) {
        const some = meet({ question, values, proposed: initial }) as string[];
        for (const value of some)
          assert(values.includes(value), `${question} ${value} is none of ${values.join(', ')}`);
        // As on a terminal, a problem is shown, and the question asked again.
        if (validate?.(some) === undefined) return some;
      }
    },
    takeBack: () => {},
  };
  const write = (text: string) => void lines.push(`${text}\n`);
  const terminal: Terminal = {
    ...createTerminal({ env: {}, stdin: {}, stdout: {}, stderr: {}, cwd: () => cwd } as never),
    ...prompts,
    asRun: message => message,
    interactive: true,
    cannotAskReason: undefined,
    inputIsTerminal: true,
    columns: 80,
    print: write,
    printExact: write,
    printPaced: text => void write(text),
    printJson: result => write(JSON.stringify(result)),
    note: write,
    inputBytes: () => assert.fail('stdin was read'),
    sleep: () => assert.fail('the wizard waited'),
  };
  return { terminal, asked, written: () => lines.join('') };
}
