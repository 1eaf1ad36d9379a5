import { testMerges } from './merging.ts';

const CALL = 'a = A(/    k=1,/)/go(a)';

testMerges('merging a comment of the user when', 'bot.py')`
botcli's change keeps the name on the line: it stays
  a = A(  # Mine/    k=1,/)/go(a) <-- ${CALL} --> a = B(/    k=1,/)/go(a) ==> a = B(  # Mine/    k=1,/)/go(a)
botcli removes the line: a conflict
  x/a = A()  # Mine/go(a) <-- x/a = A()/go(a) --> x/go() ==> conflict: You changed these lines, and botcli removes them.
botcli changes an argument: it stays
  ${CALL}  # Mine <-- ${CALL} --> a = A(/    k=1,/)/go() ==> a = A(/    k=1,/)/go()  # Mine
botcli comments on the line, too: it stays
  ${CALL}  # Mine <-- ${CALL} --> ${CALL}  # Ours ==> ${CALL}  # Mine
botcli changes the lines around it: it stays
  x()/l = L()  # Mine/${CALL} <-- x()/l = L()/${CALL} --> y()/l = L()/b = 2/${CALL} ==> y()/l = L()  # Mine/b = 2/${CALL}
it takes the place of one of ours, and ours changes that line: it stays
  f([/    a,  # One/    b,  # Mine/]) <-- f([/    a,  # One/    b,  # Two/]) --> f([/    a,  # One/    c,  # Two/])
  ==> f([/    a,  # One/    c,  # Mine/])
the user has removed one of ours, and ours removes that line
  f([/    a,  # One/    b,/]) <-- f([/    a,  # One/    b,  # Two/]) --> f([/    a,  # One/]) ==> f([/    a,  # One/])
the user has removed one of ours, and ours wraps the line below
  a/b <-- a/# Ours/b --> a/if x:/    # Ours/    b ==> a/if x:/    b
`;
