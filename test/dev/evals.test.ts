import assert from 'node:assert/strict';
import { createVerdicts, isMeant, readEval } from '../../src/dev/evals.ts';
import { CASCADE, generateProject, REALTIME } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';

const kindsOf = (config: object) =>
  Object.entries(generateProject(resolveFlags({ ...config, enable_eval: true }))).flatMap(([path, text]) => {
    const found = /evals\/.*\.yaml$/.test(path) ? readEval(path, text, () => undefined) : undefined;
    return found ? [`${found.name}: ${found.kind}`] : [];
  });

describe('a file with test conversations', () => {
  it('is found from what its turns need', () => {
    assert.deepEqual(kindsOf(CASCADE), [
      'starter_audio: audio',
      'starter_simulation: simulation',
      'starter_text: text',
    ]);
    assert.deepEqual(kindsOf(REALTIME), [
      'starter_audio: audio',
      'starter_simulation: simulation',
      'starter_text: text',
    ]);
  });

  it('may include others, which say that it is spoken', () => {
    const text = 'name: spoken\nuser: !include ../user_audio.yaml\n';
    const included = (path: string) => (path === 'server/user_audio.yaml' ? 'modality: audio' : undefined);
    assert.equal(readEval('server/evals/spoken.yaml', text, included)?.kind, 'audio');
    assert.equal(
      readEval('server/evals/part.yaml', 'modality: audio', () => undefined),
      undefined,
    );
  });

  it('is neither spoken nor a simulation because of the arguments of a tool', () => {
    const args = ['persona: Jamie', 'modality: audio'].map(line => `${' '.repeat(18)}${line}\n`).join('');
    const text = `name: booking\nscenarios:\n  - name: conversation\n    turns:\n${args}`;
    assert.equal(readEval('server/evals/booking.yaml', text, () => undefined)?.kind, 'text');
  });

  it('has a name that may be quoted, or have a comment', () => {
    const lines = ['name: a b', 'name: "a b"', "name: 'a b'  # c", 'name: a b # c', '\uFEFFname:\ta b\r'];
    const named = (line: string) => readEval('a.yaml', `${line}\nscenarios:\n`, () => undefined)?.name;
    assert.deepEqual(
      lines.map(named),
      lines.map(() => 'a b'),
    );
    assert.deepEqual(['name:', 'name: # c', 'names: a'].map(named), [undefined, undefined, undefined]);
  });

  it('is meant by its path, its file name, and its name', () => {
    const file = { path: 'server/evals/a.yaml', name: 'alpha', kind: 'text' } as const;
    const words = ['server/evals/a.yaml', 'a.yaml', 'a', 'alpha', 'b'];
    assert.deepEqual(
      words.filter(word => isMeant(word, file)),
      words.slice(0, -1),
    );
  });
});

describe("the framework's report", () => {
  it('becomes results, with the reason of each failure', () => {
    const verdicts = createVerdicts();
    verdicts.take([
      'Scripted scenarios:',
      '  starter_text/greeting:',
      '    user  -> modality: text',
      '  starter_text/greeting in the morning:',
      '',
      '      turn 0 → (observe)',
      '        ✗ llm_response — not satisfied',
      '  ✓ ws://localhost:7860/ws starter_text/greeting (1250ms)',
      '  ✗ ws://localhost:7860/ws starter_text/hours 1/2 turns (500ms)',
      "  ✗ ws://localhost:7860/ws other/broken error: KeyError: 'X'",
      '  ✓ ws://localhost:7860/ws starter_text/greeting in the morning (40ms)',
      '  ✓ ws://localhost:7860/ws person/newcomer end_call (9000ms)',
      '  ✗ ws://localhost:7860/ws person/deaf silence (30000ms)',
      '',
      '  Failures (3 of 6):',
      '  ✗ ws://localhost:7860/ws starter_text/hours 1/2 turns passed',
      '      • turn 1 response text_contains — expected "9"',
      '      • turn 1 response eval — it said no',
      "  ✗ ws://localhost:7860/ws other/broken — error: KeyError: 'X'",
      '  ✗ ws://localhost:7860/ws person/deaf — judge call failed',
    ]);
    assert.deepEqual(verdicts.all, [
      { name: 'starter_text/greeting', result: 'passed', seconds: 1.25 },
      {
        name: 'starter_text/hours',
        result: 'failed',
        seconds: 0.5,
        reason: 'turn 1 response text_contains — expected "9"; turn 1 response eval — it said no',
      },
      { name: 'other/broken', result: 'failed', reason: "error: KeyError: 'X'" },
      { name: 'starter_text/greeting in the morning', result: 'passed', seconds: 0.04 },
      { name: 'person/newcomer', result: 'passed', seconds: 9 },
      { name: 'person/deaf', result: 'failed', seconds: 30, reason: 'judge call failed' },
    ]);
  });

  it('may have the same name twice', () => {
    const verdicts = createVerdicts();
    verdicts.take([
      '  ✓ ws://localhost:7860/ws one/greeting (10ms)',
      '  ✗ ws://localhost:7860/ws one/greeting 1/2 turns (20ms)',
      '  ✗ ws://localhost:7860/ws one/greeting error: lost',
      '  Failures (2 of 3):',
      '  ✗ ws://localhost:7860/ws one/greeting 1/2 turns passed',
      '      • turn 1 response eval — it said no',
      '  ✗ ws://localhost:7860/ws one/greeting — error: lost',
    ]);
    assert.deepEqual(verdicts.all, [
      { name: 'one/greeting', result: 'passed', seconds: 0.01 },
      { name: 'one/greeting', result: 'failed', seconds: 0.02, reason: 'turn 1 response eval — it said no' },
      { name: 'one/greeting', result: 'failed', reason: 'error: lost' },
    ]);
  });
});
