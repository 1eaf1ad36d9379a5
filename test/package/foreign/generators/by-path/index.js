import { fileURLToPath } from 'node:url';
import Generator from 'yeoman-generator';

export default class extends Generator {
  async initializing() {
    const path = fileURLToPath(import.meta.resolve('generator-botcli/generators/guide'));
    await this.composeWith(path, { generatorOptions: { directory: 'bot' } });
  }
}
