import Generator from 'yeoman-generator';
import { pathIn } from './throwaway.ts';

/** Writes the name of the package that Yeoman thinks this generator belongs to. */
export default class extends Generator {
  writing(): void {
    this.fs.write(pathIn(this, 'name.txt'), this.rootGeneratorName());
  }
}
