import assert from 'node:assert/strict';
import { mergeRows } from './merging.ts';

const CONFLICT = 'a conflict';
const SHORT = 'TEXT = (/    "Old."/)';
const LONG = 'TEXT = (/    "Old. "/    "New."/)';

/** The text of the user and the merge; both sides have other lines around it. */
type Case = [about: string, user: string, merged: string, base?: string, botcli?: string];

const added: Case[] = [
  ['a text', 'TEXT = "Mine."', 'TEXT = (/    "Mine."/    " New."/)'],
  ['one that ends in a blank', 'TEXT = "Mine. "', 'TEXT = (/    "Mine. "/    "New."/)'],
  ['one in two parts', 'TEXT = "Mi" "ne."', 'TEXT = (/    "Mi" "ne."/    " New."/)'],
  ['one over lines', 'TEXT = """/  Mine."""', 'TEXT = (/    """/  Mine."""/    " New."/)'],
  ['one before a semicolon', 'TEXT = "Mine.";', CONFLICT],
  ['one in brackets before a semicolon', 'TEXT = ("Mine.");', 'TEXT = ("Mine." " New.")'],
  ['one in brackets', 'TEXT = ("Mine.")', 'TEXT = ("Mine." " New.")'],
  ['one in brackets on its last line', 'TEXT = (/  "Mi"/  "ne.")', 'TEXT = (/  "Mi"/  "ne." " New.")'],
  ['one in brackets on its first line', 'TEXT = ("Mi"/  "ne."/)', 'TEXT = ("Mi"/  "ne."/  " New."/)'],
  ['one in brackets that end further down', 'TEXT = ("Mine."/)', 'TEXT = ("Mine."/    " New."/)'],
  ['one with an indented bracket', 'TEXT = (/  "Mine."/  )', 'TEXT = (/  "Mine."/  " New."/  )'],
  ['brackets', 'TEXT = "(" ")"', 'TEXT = (/    "(" ")"/    " New."/)'],
  ['one after a backslash', 'TEXT = \\/  "Mine."', CONFLICT],
  ['nothing in brackets', 'TEXT = ()', CONFLICT],
  ['a sum', 'TEXT = MORE + "Mine."', CONFLICT],
  ['an addition', 'TEXT += "Mine."', CONFLICT],
  ['one with a comment', 'TEXT = ("Mine.")  # Mine', CONFLICT],
  ['one next to another', 'TEXT = "Mine."; OTHER = "x"', CONFLICT],
  ['one, and ours is new', 'TEXT = "Mine."', CONFLICT, 'pass', 'TEXT = "New."'],
  ['two', 'TEXT = "Mine."/TEXT = "Other."', CONFLICT],
  ['one in a condition', 'if x:/    TEXT = "Mine."', CONFLICT],
  ['one that says it already', 'TEXT = "New. Mine."', CONFLICT],
  ['one, and ours has one blank less', 'TEXT = (/    "Mine."/    " "/)', CONFLICT, 'TEXT = "Old. "', 'TEXT = "Old."'],
  ['one, and ours begins in another way', 'TEXT = "Mine."', CONFLICT, SHORT, 'TEXT = "Other. New."'],
  ['one, and ours was empty', 'TEXT = "Mine."', CONFLICT, 'TEXT = ""', 'TEXT = "New."'],
  [
    'one, and ours ends in a blank',
    'TEXT = "Mine."',
    'TEXT = (/    "Mine."/    "\\nNew."/)',
    'TEXT = "Old. "',
    'TEXT = "Old.\\nNew."',
  ],
  ['one, and ours has quotes', 'TEXT = "Mine."', CONFLICT, 'TEXT = "Old."', `TEXT = 'Old. Say "New".'`],
  ['one, and ours has lines', 'TEXT = "Mine."', CONFLICT, 'TEXT = "Old."', 'TEXT = """Old./New."""'],
  [
    'one, and ours has quotes after a backslash',
    'TEXT = "Mine."',
    'TEXT = (/    "Mine."/    " Say \\"New\\"."/)',
    'TEXT = "Old."',
    'TEXT = "Old. Say \\"New\\"."',
  ],
];

const gone: Case[] = [
  ['it has a line', 'TEXT = (/    "Mine. "/    "New."/)', 'TEXT = (/    "Mine. "/)'],
  ['it has a line twice', "TEXT = (/  'New. '/  'Mine.'/  ' New.'/)", "TEXT = (/  'New. '/  'Mine.'/)"],
  ['it shares a line', 'TEXT = (/    "Mine. " "New."/)', CONFLICT],
  ['it is part of a longer one', 'TEXT = (/    "Mine. New."/)', CONFLICT],
  ['it is all that is left', 'TEXT = (/    "New."/)', CONFLICT],
  ['it is below a backslash', 'TEXT = "Mine." \\/  "New."', CONFLICT],
];

const around = (text: string, first: string, last: string) => `${first}/b = 2/${text}/c = 3/${last}/`;

const check = (rows: readonly Case[], oldText: string, newText: string) => {
  for (const [about, user, merged, base = oldText, botcli = newText] of rows) {
    it(`${about}: ${merged === CONFLICT ? 'a conflict' : 'settled'}`, () => {
      const result = mergeRows(
        'a.py',
        around(user, 'a = 9', 'd'),
        around(base, 'a', 'd'),
        around(botcli, 'a', 'd = 8'),
      );
      if (merged === CONFLICT) assert.match(result, /^conflict: /);
      else assert.equal(result, around(merged, 'a = 9', 'd = 8'));
    });
  }
};

describe('ours adds to a text for which the user wrote', () => check(added, SHORT, LONG));
describe('ours takes a part away from a text of the user, and', () => check(gone, LONG, SHORT));
