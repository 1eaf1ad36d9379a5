import assert from 'node:assert/strict';
import type { Finding } from '../../src/check/checks/finding.ts';
import { findingsIn, reportFindings } from '../../src/check/report.ts';
import { openRecorded } from '../support/session.ts';

const findings = (code: Finding['code'], length: number): Finding[] =>
  Array.from({ length }, (_, at) => ({ code, level: 'warning', group: 'keys', message: `${code} ${at}` }));

describe('the report of botcli check', () => {
  it('shows at most 100 findings of a kind, and says how many more there are', () => {
    const { terminal, written } = openRecorded('/');
    const found = [...findings('syntax', 100), ...findings('env-line', 105)];
    reportFindings([{ group: 'keys', findings: found, passed: '' }], terminal);
    const lines = written.stdout.split('\n');
    assert.deepEqual(lines.slice(99, 101), ['! syntax 99', '! env-line 0']);
    assert.deepEqual(lines.slice(199), ['! env-line 99', '  and 5 more like these', '', '205 warnings.', '']);
  });

  it('has at most 100 of a kind for programs, too, and counts the others', () => {
    const found = [...findings('syntax', 100), ...findings('env-line', 105)];
    const { findings: shown, more } = findingsIn([{ group: 'keys', findings: found, passed: '' }]);
    assert.deepEqual(shown, found.slice(0, 200));
    assert.deepEqual(more, { 'env-line': 5 });
  });
});
