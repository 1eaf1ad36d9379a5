import { testMerges } from './merging.ts';

testMerges('merging items between brackets when', 'bot.py')`
each side passes an argument, a line apart
  run(/    a,/    x=1,/    b,/    c,/) <-- run(/    a,/    b,/    c,/)
  --> run(/    a,/    b,/    x=2,/    c,/)
  ==> conflict: Your file already defines "x", and so does botcli's change.
ours is the first one in a list of comments
  run(/    a=[/        # b,/    ],/)/m <-- run(/    a=[/        # b,/    ],/)
  --> run(/    a=[/        # b,/        c,/    ],/) ==> run(/    a=[/        # b,/        c,/    ],/)/m
each side passes an argument, to different calls
  run(/    a,/    go(x=1),/    b,/    c,/) <-- run(/    a,/    b,/    c,/)
  --> run(/    a,/    b,/    x=2,/    c,/) ==> run(/    a,/    go(x=1),/    b,/    x=2,/    c,/)
the user passes an argument twice
  run(/    a,/    x=1,/    b,/    x=2,/) <-- run(/    a,/    b,/)
  --> run(/    c,/    a,/    b,/) ==> run(/    c,/    a,/    x=1,/    b,/    x=2,/)
each side passes an argument with a name, after one without
  run(a, x=1) <-- run(a) --> run(a, y=2) ==> run(a, y=2, x=1)
there are only comments, and ours adds one with a comma
  run(/    # a/)/x <-- run(/    # a/)/y --> run(/    # a/    b,/)/y ==> run(/    # a/    b,/)/x
each side adds a parameter with a value
  def run(a, x=1):/    b <-- def run(a):/    b --> def run(a, y=2):/    b
  ==> conflict: You and botcli changed the same lines.
each side passes the same values
  run(/    x,/    "y",/    z == 1,/    a,/    b,/)
  <-- run(/    a,/    b,/) --> run(/    a,/    b,/    x,/    "y",/    z == 1,/)
  ==> run(/    x,/    "y",/    z == 1,/    a,/    b,/)
each side has a key, in other quotes
  run = {/    'x': 1,/    a: 1,/    b: 2,/}
  <-- run = {/    a: 1,/    b: 2,/} --> run = {/    a: 1,/    b: 2,/    "x": 3,/}
  ==> conflict: Your file already defines "x", and so does botcli's change.
the last item has no comma
  run(/    b  /    # end/) <-- run(/    a,/    # end/)
  --> run(/    a,/    # end/    x,/)
  ==> run(/    b,  /    # end/    x/)
the last item ends with a bracket
  run(/    b()/    # end/) <-- run(/    a,/    # end/)
  --> run(/    a,/    # end/    (x),/)
  ==> run(/    b(),/    # end/    (x)/)
the last item is a text over lines
  run(/    """b/    c"""/    # end/) <-- run(/    a,/    # end/)
  --> run(/    a,/    # end/    *x,/)
  ==> run(/    """b/    c""",/    # end/    *x/)
the last item is a text over lines with code
  run(/    f"""{b}/    c"""/    # end/) <-- run(/    a,/    # end/)
  --> run(/    a,/    # end/    **x,/)
  ==> run(/    f"""{b}/    c""",/    # end/    **x/)
the last item of botcli has no comma
  run(/    a,/    b,/    c/) <-- run(/    a,/    b,/)
  --> run(/    a,/    b,/    x/)
  ==> conflict: You and botcli changed the same lines.
the last item has a comment
  run(/    b  # mine/    # end/) <-- run(/    a,/    # end/) --> run(/    a,/    # end/    x,/)
  ==> run(/    b,  # mine/    # end/    x/)
the last item is a text over lines with a comment
  run(/    """b/    c"""  # mine/    # end/) <-- run(/    a,/    # end/)
  --> run(/    a,/    # end/    x,/)
  ==> run(/    """b/    c""",  # mine/    # end/    x/)
the last item has a backslash
  run(/    b \\/) <-- run(/    a,/) --> run(/    a,/    x,/)
  ==> run(/    b,/    x \\/)
the last item is a text, and so is that of botcli
  run(/    "b"/    # end/) <-- run(/    a,/    # end/) --> run(/    a,/    # end/    "x",/)
  ==> run(/    "b",/    # end/    "x"/)
the last item is a text, and that of botcli another value
  run(/    "b"/    # end/) <-- run(/    a,/    # end/)
  --> run(/    a,/    # end/    x,/)
  ==> run(/    "b",/    # end/    x/)
the last item is a value, and that of botcli a text
  run(/    b/    # end/) <-- run(/    a,/    # end/)
  --> run(/    a,/    # end/    "x",/)
  ==> run(/    b,/    # end/    "x"/)
the last item ends with a sign
  run(/    b +/    # end/) <-- run(/    a,/    # end/) --> run(/    a,/    # end/    x,/)
  ==> run(/    b +,/    # end/    x/)
what follows begins with a sign
  run(/    b/    # end/) <-- run(/    a,/    # end/) --> run(/    a,/    # end/    + x,/    c,/)
  ==> run(/    b,/    # end/    + x,/    c/)
nothing says that there are items
  run(/    b/    # end/) <-- run(/    a/    # end/) --> run(/    a/    # end/    x/)
  ==> conflict: You and botcli changed the same lines.
only brackets within them have a comma
  run(/    go(b, c)/    # end/) <-- run(/    a/    # end/) --> run(/    a/    # end/    x/)
  ==> conflict: You and botcli changed the same lines.
only brackets around them have a comma
  run(/    d,/    (b/    # end/    )/) <-- run(/    d,/    (a/    # end/    )/)
  --> run(/    d,/    (a/    # end/    x)/)
  ==> conflict: You and botcli changed the same lines.
each side adds a part of a text
  run(/    "a"/    "b"/    "mine"/) <-- run(/    "a"/    "b"/)
  --> run(/    "a"/    "b"/    "x"/)
  ==> conflict: You and botcli changed the same lines.
each side changes the parts of a text, with code at the end of one
  run(/    f"{b}"/    "c"/) <-- run(/    "a"/    "c"/)
  --> run(/    "a"/    "x"/    "c"/)
  ==> conflict: You and botcli changed the same lines.
each side changes the parts of a text among arguments, with code at the end of one
  run(/    f"{b}"/    "c",/    d,/) <-- run(/    "a"/    "c",/    d,/)
  --> run(/    "a"/    "x"/    "c",/    d,/)
  ==> conflict: You and botcli changed the same lines.
an item of the user goes over lines
  run(/    a/    + b,/    c,/) <-- run(/    a,/    c,/)
  --> run(/    a,/    c,/    x,/) ==> run(/    a/    + b,/    c,/    x,/)
an item of botcli goes over lines
  run(/    a,/    c,/    d,/) <-- run(/    a,/    c,/)
  --> run(/    x/    + y,/    c,/) ==> run(/    x/    + y,/    c,/    d,/)
the items are lines without brackets
  x = 1 + \\/    5 + \\/    2 <-- x = 1 + \\/    2
  --> x = 1 + \\/    2 + \\/    3
  ==> conflict: You and botcli changed the same lines.
brackets of the user's don't match
  run(a)), b/run(/    a,/) <-- run(/    a,/) --> run(/    a,/    b,/) ==> run(a)), b/run(/    a,/    b,/)
the user's settings go to another call
  x = a.run(/    b,/    mine,/) <-- x = a.run(/    b,/)
  --> x = cat.go(/    b,/) ==> conflict: You gave these settings to a.run.
the user gives another argument to a call that becomes another
  x = run(/    c=2,/) <-- x = run(/    b=1,/) --> x = go(/    b=1,/) ==> conflict: You gave these settings to run.
botcli gives another value to an argument of a call that the user made another
  x = go(/    b=1,/) <-- x = run(/    b=1,/)
  --> x = run(/    b=2,/) ==> conflict: botcli's change gives settings to run, which your file has replaced.
the user's items go to a call
  x = [/    a,/    mine,/] <-- x = [/    a,/]
  --> x = run(/    a,/) ==> conflict: You gave these settings to something else.
botcli's items go to a call of the user's
  x = run(/    a,/)
  <-- x = [/    a,/] --> x = [/    a,/    ours,/]
  ==> conflict: botcli's change gives settings to something else, which your file has replaced.
`;
