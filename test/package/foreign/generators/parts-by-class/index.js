import Bot from 'generator-botcli/generators/bot';
import Client from 'generator-botcli/generators/client';
import Generator from 'yeoman-generator';
import { generatorOptions } from '../../options.js';

export default class extends Generator {
  async initializing() {
    await this.composeWith({ Generator: Bot, path: Bot.resolved }, { generatorOptions });
    await this.composeWith({ Generator: Client, path: Client.resolved }, { generatorOptions });
  }

  writing() {
    this.fs.write(this.destinationPath('theirs.txt'), 'theirs\n');
  }
}
