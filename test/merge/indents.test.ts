import { testMerges } from './merging.ts';

testMerges('merging Python of which the user has moved lines', 'server/bot.py')`
in a block
  if x:/    a/    b <-- a/b --> a/n/b ==> if x:/    a/    n/    b
with tabs
  def f():/\ta/\tif b:/\t\tc <-- def f():/    a/    if b:/        c
  --> def f():/    a/    if b:/        c/        n/    while o:/        p(/          q)
  ==> def f():/\ta/\tif b:/\t\tc/\t\tn/\twhile o:/\t\tp(/\t\t q)
out of a block, around which ours makes another one
  for x:/    a/b/c <-- for x:/    a/    b/c --> if o:/    for x:/        a/        b/c
  ==> conflict: You and botcli changed the same lines.
in a block, from which ours takes another one away
  if x:/\tfor y:/\t\ta/\tb <-- for y:/    a/b --> a/b ==> conflict: You and botcli changed the same lines.
in a block that ends before ours
  if x:/    a/b <-- a/b --> a/n/b ==> if x:/    a/n/b
in a block that begins after ours
  a/if x:/    b <-- a/b --> a/n/b ==> a/n/if x:/    b
in two blocks, with a deeper one of ours between them
  if x:/    a/if y:/    b <-- a/b --> a/while n:/    o/b ==> if x:/    a/while n:/    o/if y:/    b
in a block, and ours replaces one
  if x:/    a/    b/c <-- a/b/c --> a/n/c ==> conflict: You and botcli changed the same lines.
in two blocks, and ours replaces lines of each
  if x:/    a/    b/c/if y:/    d/e <-- a/b/c/d/e --> a/n/o/c/p/e
  ==> conflict: You and botcli changed the same lines. You and botcli changed the same lines. botcli's change removes what is between these brackets of yours.
in a block, and ours replaces several with one
  if x:/    a/    b//    c/d/if y:/    e/f <-- a/b//c/d/e/f --> a/n/d/o/f
  ==> conflict: You and botcli changed the same lines. You and botcli changed the same lines. botcli's change removes what is between these brackets of yours.
out of a block around which botcli makes another one: a conflict
  def f():/    for x in y:/        a()/    b()/    c()/ <-- def f():/    for x in y:/        a()/        b()/    c()/
  --> def f():/    if z:/        for x in y:/            a()/            b()/    c()/
  ==> conflict: You and botcli changed the same lines.
into a block with another one, and botcli makes a block of the last: a conflict, or it would leave the block
  def f():/    if mine:/        a()/        b()/    c()/ <-- def f():/    a()/    b()/    c()/
  --> def f():/    a()/    if ours:/        b()/    c()/
  ==> conflict: botcli's change doesn't fit the blocks around it in your file.
into a block with others, and botcli makes a block of the one between them
  def f():/    if mine:/        a()/        b()/        c()/
  <-- def f():/    a()/    b()/    c()/ --> def f():/    a()/    if ours:/        b()/    c()/
  ==> conflict: botcli's change doesn't fit the blocks around it in your file.
out of a block, and botcli makes a block of the one before it
  def f():/    for x in y:/        a()/        b()/    c()/    d()/
  <-- def f():/    for x in y:/        a()/        b()/        c()/    d()/
  --> def f():/    for x in y:/        a()/        if ours:/        /            b()/        c()/    d()/
  ==> def f():/    for x in y:/        a()/        if ours://            b()/    c()/    d()/
`;
