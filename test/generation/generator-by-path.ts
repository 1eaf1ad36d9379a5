import Generator from 'yeoman-generator';
import { pathIn } from './throwaway.ts';

/** Writes the name of the package that Yeoman takes it to belong to. */
export default class extends Generator {
  writing(): void {
    this.fs.write(pathIn(this, 'name.txt'), this.rootGeneratorName());
  }
}
