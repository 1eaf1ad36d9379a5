import Generator from 'yeoman-generator';
import { generatorOptions } from '../../options.js';

export default class extends Generator {
  async initializing() {
    await this.composeWith('botcli:bot', { generatorOptions });
    await this.composeWith('botcli:client', { generatorOptions });
  }

  writing() {
    this.fs.write(this.destinationPath('theirs.txt'), 'theirs\n');
  }
}
