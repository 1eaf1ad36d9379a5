import assert from 'node:assert/strict';
import type { Finding } from '../../src/check/checks/finding.ts';
import { findingsIn, reportFindings } from '../../src/check/command.ts';
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

  it('fits a terminal, and breaks no command', () => {
    const { terminal, written } = openRecorded('/');
    const message = 'Nobody can reach this bot in the cloud: SmallWebRTC (peer to peer) only works locally';
    const hint =
      "A deploy uploads every file that .dockerignore doesn't exclude.\nTo list them, run: botcli cloud deploy --dry-run --config server/cloud-deploy.toml";
    const fix = { command: 'botcli update my-bot -t rtc_local -t rtc_hosted --language de' };
    const finding: Finding = { code: 'transport-not-in-cloud', level: 'error', group: 'cloud', message, hint, fix };
    const passed = 'uv 0.13.9 is installed, ports 7860, 5173 are free';
    const results = [
      { group: 'machine' as const, findings: [], passed },
      { group: 'cloud' as const, findings: [finding], passed: '' },
    ];
    reportFindings(results, { ...terminal, columns: 60 });
    assert.deepEqual(written.stdout.split('\n'), [
      '✓ This machine: uv 0.13.9 is installed, ports 7860, 5173 are',
      '  free',
      '✗ Nobody can reach this bot in the cloud: SmallWebRTC (peer',
      '  to peer) only works locally',
      "  A deploy uploads every file that .dockerignore doesn't",
      '  exclude.',
      '  To list them, run:',
      '    botcli cloud deploy --dry-run --config server/cloud-deploy.toml',
      '  Run:',
      '    botcli update my-bot -t rtc_local -t rtc_hosted --language de',
      '',
      '1 error.',
      '',
    ]);
  });

  it('has at most 100 of a kind for programs, too, and counts the others', () => {
    const found = [...findings('syntax', 100), ...findings('env-line', 105)];
    const { findings: shown, more } = findingsIn([{ group: 'keys', findings: found, passed: '' }]);
    assert.deepEqual(shown, found.slice(0, 200));
    assert.deepEqual(more, { 'env-line': 5 });
  });
});
