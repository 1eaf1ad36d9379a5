import { testMerges } from './merging.ts';

testMerges('merging Python imports when', 'bot.py')`
ours adds one at the end of a section
  import a/from b import B//from c import C/m <-- import a/from b import B//from c import C
  --> import a/from b import B/from d import D//from c import C
  ==> import a/from b import B/from d import D//from c import C/m
each side added a module
  import a/import m <-- import a --> import a/import o ==> import a/import m/import o
each side added a name
  from a import B, m <-- from a import B --> from a import B, C ==> from a import B, C, m
both added the same name
  from a import B, C/import x <-- from a import B --> from a import B, C ==> from a import B, C/import x
ours is gone
  from a import B, m <-- from a import B --> import x ==> import x/from a import m
ours is gone, but the user uses it
  import a/import m//a(m) <-- import a/ --> import x/ ==> import a/import m/import x//a(m)
the user removed one that ours uses
  import m//m <-- import a/ --> import a/import o/ ==> import m/import o//m
a statement is in parentheses
  from a import (/    B,/    m,/) <-- from a import B --> from a import B, C ==> from a import (/    B,/    C,/    m,/)
a name has an alias
  from a import Bee as X/import m as n <-- from a import Bee as X --> from a import Bee as X, Cat
  ==> from a import Bee as X, Cat/import m as n
the user gave a name an alias
  from a import Bee as X//X() <-- from a import Bee/ --> from a import Bee, Cat/ ==> from a import Bee as X, Cat//X()
a comment is above it
  # mine/import a/import m <-- import a --> import a/import b ==> # mine/import a/import b/import m
a comment is after it
  from a import B  # noqa/from m import x <-- from a import B --> from a import B, C
  ==> from a import B, C  # noqa/from m import x
each name has a statement
  from a import Bee/from a import mine <-- from a import Bee --> from a import Bee, Cat
  ==> from a import Bee, Cat/from a import mine
there are sections
  import os//from z import Z <-- import os --> import os/import sys//from b import B
  ==> import os/import sys//from b import B/from z import Z
a section is gone
  import os/import m//from z import Z <-- import os//from z import Z --> import os ==> import os/import m
the user added one in a function, and one in a block: those count, and stay
  import a//try:/    import c/except E:/    c = None//def f():/    import b <-- import a --> import a/import b
  ==> import a/import b//try:/    import c/except E:/    c = None//def f():/    import b
ours are the same: not a byte changes
  import a///# why/import m/ <-- import a/ --> import a//x = 1/ ==> import a///# why/import m//x = 1/
ours is gone, below a comment: the comment stays
  import b/# mine/import c/import m/ <-- import b/import c/ --> import b/import o/ ==> import b/# mine/import m/import o/
several are in one line
  import a; import b/x = 1 <-- import a; import b/ --> import a; import b/y = 2 ==> import a; import b/y = 2/x = 1
both rewrite the docstring, and the user uses one that goes: it stays
  """Mine."""//import a/import gone//gone.go(a) <-- """Old."""//import a/import gone/ --> """New."""//import a/
  ==> """Mine."""//import a/import gone//gone.go(a)
both rewrite the docstring, and ours uses one that the user has removed: it returns, and what nothing uses goes
  """Mine."""//import gone/ <-- """Old."""//import a/import gone/ --> """New."""//import a//a.go()
  ==> """Mine."""//import a//a.go()
the user's file has tabs: ours get them, too
  from a import (/\tb,/)/def run():/\tcall(b) <-- from a import (/    b,/)/def run():/    call(b)
  --> from a import (/    b,/    c,/)/def run():/    call(b, c) ==> from a import (/\tb,/\tc,/)/def run():/\tcall(b, c)
statements are between them, which stay with what they need
  import os/import sys//sys.path.append("a")//from a import Old//Old(os)
  <-- import os/import sys//from a import Old//Old(os) --> import os//from a import New//New(os)
  ==> import os/import sys//sys.path.append("a")//from a import New//New(os)
`;

testMerges('merging names of Python when', 'bot.py')`
ours uses one that the user renamed
  MOST = 3/f(MOST)/g() <-- LIMIT = 3/f(LIMIT)/g() --> LIMIT = 3/f(LIMIT)/g()/h(LIMIT) ==> MOST = 3/f(MOST)/g()/h(MOST)
the user replaced a variable of a function
  def f():/    x = Mine()/    a()/    b() <-- def f():/    c = C()/    a()/    b() --> def f():/    c = C()/    a()/    g(c)/    b()
  ==> conflict: botcli's change uses "c", which your file doesn't define any more.
ours renames a variable that the user made global
  x = 0/def f():/    global x/    a()/    x = g()/    return x <-- def f():/    a()/    x = g()/    return x
  --> def f():/    a()/    y = g()/    return y ==> conflict: Nothing in f would set your global "x".
both define a variable, in different functions
  def f():/    a()/    x = 1/def g():/    b() <-- def f():/    a()/def g():/    b()
  --> def f():/    a()/def g():/    x = 2/    b() ==> def f():/    a()/    x = 1/def g():/    x = 2/    b()
ours has the user's as an attribute, a keyword, a string, and in a comment
  M = 3/f(M)/g() <-- L = 3/f(L)/g() --> L = 3/f(L)/g(L=os.L)  # L/h("L", f"L {{L}}")
  ==> M = 3/f(M)/g(L=os.L)  # L/h("L", f"L {{L}}")
ours uses one that is gone in an f-string
  f()/g() <-- L = 3/f(L)/g() --> L = 3/f(L)/g()/h(f"{L:>3}")
  ==> conflict: botcli's change uses "L", which your file doesn't define any more.
the user's file was broken before
  M = 3/f(L)/g() <-- L = 3/f(L)/g() --> L = 3/f(L)/g()/h(1) ==> M = 3/f(L)/g()/h(1)
the user moved lines to another function, and ours removes some: they go there
  def r(a):/    begin(a)/    rest(a)//def rest(a):/    early(a)/    if a.l:/        guard(a)/    wait()/    end(a)
  <-- def r(a):/    begin(a)/    early(a)/    if a.l:/        guard(a)/    wait()/    end(a)
  --> def r(a):/    begin(a)/    early(a)/    wait()/    end(a)
  ==> def r(a):/    begin(a)/    rest(a)//def rest(a):/    early(a)/    wait()/    end(a)
`;

testMerges('merging texts and tuples of Python when', 'bot.py')`
ours takes away what it has added to a text of the user: only that goes
  TEXT = (/    'Mine.'/    " New."/) <-- TEXT = (/    "Old. "/    "New."/) --> TEXT = (/    "Old."/)
  ==> TEXT = (/    'Mine.'/)
a list is a tuple now
  ENV = ("A", "B") <-- ENV = ["A", "B"] --> ENV = ["A", "OURS"] ==> ENV = ("A", "OURS")
a list is a tuple now, and both have replaced an item
  ENV = ("A", "M") <-- ENV = ["A", "B"] --> ENV = ["A", "O"] ==> ENV = ("A", "M", "O")
a list has a type
  ENV: list[str] = ["A", "B", "M"] <-- ENV = ["A", "B"] --> ENV = ["A", "OURS"] ==> ENV: list[str] = ["A", "OURS", "M"]
a list has nothing but a type
  ENV: list[str] = ["A", "B"] <-- ENV = ["A", "B"] --> ENV = ["A", "OURS"] ==> ENV: list[str] = ["A", "OURS"]
an item of a list has a comment
  ENV = [/    "A",  # Mine./    "B"/] <-- ENV = ["A", "B"] --> ENV = ["A", "OURS"]
  ==> ENV = [/    "A",  # Mine./    "OURS"/]
items of a list on one line have a comment
  ENV = [/    "A", "B",  # Mine./] <-- ENV = ["A", "B"] --> ENV = ["A", "OURS"]
  ==> conflict: You and botcli changed the same lines.
a list is a text in parentheses
  ENV = ("A") <-- ENV = ["A", "B"] --> ENV = ["A", "OURS"]
  ==> conflict: botcli's change doesn't fit the blocks around it in your file.
the only item of a tuple keeps its comma
  ENV = ("A", "B") <-- ENV = ["A", "B"] --> ENV = ["A"] ==> ENV = ("A",)
one side has brackets more
  x = (1)/b/c <-- x = 1/b/c --> x = 1/b/c/y = 2 ==> x = (1)/b/c/y = 2
`;
