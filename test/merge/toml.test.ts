import { testMerges } from './merging.ts';

const SAME = 'conflict: You and botcli changed the same lines.';
const GONE = 'conflict: You removed or moved these lines, and botcli changes them.';

testMerges('merging TOML with', 'a.toml')`
a table in another order
  [b]/x = 1/[a]/x = 1 <-- [a]/x = 1/[b]/x = 1 --> [a]/x = 2/[b]/x = 1 ==> [b]/x = 1/[a]/x = 2
a comment that ours adds
  [a]/b = 0/m = 1 <-- [a]/b = 0 --> [a]/# Free/b = 0 ==> [a]/# Free/b = 0/m = 1
a comment above a table that ours removes
  [b]/# Mine/[c] <-- [a]/x = 1/[b]/[c] --> [a]/x = 1/[c] ==> # Mine/[c]
its own spaces
  a=1/b  =  [ 1,2 ]  # two/c = 0 <-- a = 1/b = [1, 2]/c = 0
  --> a = 1/b = [1, 2]/c = 1 ==> a=1/b  =  [ 1,2 ]  # two/c = 1
a removed comment
  [a]/b = 0 <-- [a]/# Free/b = 0 --> [a]/# Paid/b = 1 ==> [a]/# Paid/b = 1
a removed comment above what ours changes
  [a]/b = 0 <-- [a]/# Free/b = 0 --> [a]/# Free/b = 1 ==> [a]/b = 1
a removed comment, and one line left
  [a] <-- [a]/# Free --> [a]/# Paid/b = 1 ==> [a]/# Paid/b = 1
a new blank line above what ours changes
  [a]//b = 0 <-- [a]/b = 0 --> [a]/b = 1 ==> [a]//b = 1
a new blank line below what ours changes
  b = 0//[c]/ <-- b = 0/[c]/ --> b = 1/[c]/ ==> b = 1//[c]/
a new blank line where ours adds a value
  b = 0//[c]/ <-- b = 0/[c]/ --> b = 0/d = 0/[c]/ ==> b = 0/d = 0//[c]/
a new blank line in what ours removes
  a = 0//b = 0/c = 0 <-- a = 0/b = 0/c = 0 --> c = 0 ==> c = 0
a new blank line above what ours removes
  a = 0//b = 0/c = 0 <-- a = 0/b = 0/c = 0 --> a = 0/c = 0 ==> a = 0/c = 0
an old blank line that ours removes
  a = 0//b = 0/m = 0 <-- a = 0//b = 0 --> a = 0/b = 0 ==> a = 0/b = 0/m = 0
keys that are called like what merging knows
  Array = 0/Comment = 2/toString = 0 <-- Array = 0/Comment = 0/toString = 0
  --> Array = 1/Comment = 0/toString = 1 ==> Array = 1/Comment = 2/toString = 1
a removed value
  [a]/c = 0 <-- [a]/b = 0/c = 0 --> [a]/b = 1/c = 0 ==> ${GONE}
a value that both set alike
  # Old/b = 1/c = 2 <-- # Old/b = 0 --> # New/b = 1 ==> # New/b = 1/c = 2
a key that two tables have
  [x]/a = 1/[y]/a = 2 <-- [x]/a = 0/[y]/a = 0 --> [x]/a = 0/[y]/a = 2 ==> [x]/a = 1/[y]/a = 2
a table of each in place of a value
  [b] <-- b = 0 --> [c] ==> [b]/[c]
a key of the user where ours adds a table
  [a]/b = 0/m = 1 <-- [a]/b = 0 --> [a]/b = 0/[c]/o = 1 ==> [a]/b = 0/m = 1/[c]/o = 1
a table of the user where ours adds a key
  [a]/b = 0//[c]/m = 1 <-- [a]/b = 0 --> [a]/b = 0/o = 1 ==> [a]/b = 0/o = 1//[c]/m = 1
a table of the user below a value that they changed, where ours adds a key
  [a]/b = 1/[c]/m = 1 <-- [a]/b = 0 --> [a]/b = 0/o = 1 ==> [a]/b = 1/o = 1/[c]/m = 1
keys and a table of both at one place
  [a]/b = 0/m = 1/[c]/m = 1 <-- [a]/b = 0 --> [a]/b = 0/o = 1/[d]/o = 1 ==> [a]/b = 0/o = 1/m = 1/[d]/o = 1/[c]/m = 1
an array of ours where the user adds a table
  [a]/b = 1/[c]/m = 1 <-- [a]/b = 0 --> [a]/b = 0/o = [1] ==> [a]/b = 1/o = [1]/[c]/m = 1
a date of ours where the user adds a table
  [t.a]/b = 1/[t.c]/m = 1 <-- [t.a]/b = 0 --> [t.a]/b = 0/o = 2024-01-01 ==> [t.a]/b = 1/o = 2024-01-01/[t.c]/m = 1
a conflict about two keys, and a change elsewhere
  a = 1/b = 0/c = 0/d = 0/[e]/f = 0 <-- a = 0/b = 0/c = 0/d = 0/[e]/f = 0
  --> a = 2/b = 1/c = 0/d = 0/[e]/f = 1 ==> ${SAME}
a table of the user that is indented, where ours adds a key
  [a]/b = 0/  [c]/  m = 1 <-- [a]/b = 0 --> [a]/b = 0/o = 1 ==> [a]/b = 0/o = 1/  [c]/  m = 1
a key of the user below a blank line, where ours adds a table
  [a]/b = 0//m = 1 <-- [a]/b = 0 --> [a]/b = 0/[c]/o = 1 ==> [a]/b = 0//m = 1/[c]/o = 1
a table of the user where ours adds an array
  [a]/b = 0/[c]/m = 1 <-- [a]/b = 0 --> [a]/b = 0/o = [1] ==> [a]/b = 0/o = [1]/[c]/m = 1
a table of the user below a line of spaces, where ours adds a key and a table
  [a]/b = 0/  /[c]/m = 1 <-- [a]/b = 0 --> [a]/b = 0/o = 1/[d]/o = 1 ==> [a]/b = 0/o = 1/[d]/o = 1//[c]/m = 1
a blank line of the user where ours adds a table
  [a]/b = 0// <-- [a]/b = 0/ --> [a]/b = 0/[c]/o = 1/ ==> [a]/b = 0/[c]/o = 1//
an array of the user where ours adds a table
  [a]/b = 0/m = [1] <-- [a]/b = 0 --> [a]/b = 0/[c]/o = 1 ==> [a]/b = 0/m = [1]/[c]/o = 1
a key of the user between lines that ours puts in a string
  [a]/b = 0/m = 1/c = 0 <-- [a]/b = 0/c = 0 --> [a]/o = """/b = 0/c = 0/""" ==> [a]/o = """/b = 0/c = 0/"""/m = 1
`;
