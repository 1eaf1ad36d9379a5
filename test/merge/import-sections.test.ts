import { testMerges } from './merging.ts';

testMerges('merging the imports of Python when', 'bot.py')`
one of a line is gone
  import a, b, m <-- import a, b --> import b
  ==> conflict: Your file already defines "b", and so does botcli's change.
one with an alias is gone
  import a as x, m as n <-- import a as x --> import b ==> import a as x, m as n/import b
the last one of a line with a comment is gone
  import m/import a  # Mine <-- import a --> import b ==> import m/import b
one of a line with a comment is gone: it stays
  from a import B, M  # Mine <-- from a import B --> import b ==> import b/from a import M  # Mine
one of a line below a comment is gone
  import A/# Mine/from a import B, M <-- import A/from a import B --> import A/import b
  ==> import A/import b/# Mine/from a import M
ours takes the place of one below a comment
  import A/# Mine/from a import B <-- import A/from a import B --> import A/from a import C
  ==> import A/# Mine/from a import C
ours has a module that is only imported as a whole
  import a <-- import a --> import a/from a import B ==> import a/from a import B
ours imports a module as a whole
  from a import B <-- from a import B --> import a/from a import B ==> import a/from a import B
the user imports all of a module
  from a import * <-- from a import B --> from a import B, C ==> from a import C/from a import *
ours is in brackets
  import b <-- import b --> import b/from a import (/  C,/) ==> import b/from a import (/  C,/)
ours removes the first import of a section that is below one of the user
  import a/import m//import b/import c <-- import a//import b/import c --> import a//import c
  ==> import a/import m//import c
ours begins a section
  import a//import m <-- import a --> import a//import b//import c ==> import a//import b//import c/import m
ours begins the first section
  import z//import m//import n <-- import z --> import b//import z ==> import b//import z//import m//import n
ours begins a section after one that the user lacks
  import a//import m <-- import a//import x --> import a//import x//import c ==> import a//import c/import m
ours is in the section of its neighbor
  import a//import b/import m//import n <-- import a//import b --> import a//import b/import c
  ==> import a//import b/import c/import m//import n
ours is the last of a section
  import a//import e/m <-- import a//import e --> import a/import z//import e ==> import a/import z//import e/m
a section is all gone, and ours has a new one
  import m//import a//import n <-- import a --> import b ==> import m/import b//import n
the user imports from the future
  from __future__ import x//import b//import c <-- import b//import c --> import a//import b//import c
  ==> from __future__ import x/import a//import b//import c
the user does so without a blank line
  from __future__ import x/import b <-- import b --> import a/import b ==> from __future__ import x/import a/import b
`;
