import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
for (const { path, contents } of generatedFiles()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents());
}
