import { join } from 'node:path';
import Generator from 'yeoman-generator';

/** A file to render: its text, optionally with a mark that says what to do if the file exists. */
export type Rendered = Readonly<Record<string, string | { contents: string; mark: 'force' | 'skip' }>>;

/** An option of a running generator. */
export function optionOf(generator: Generator, name: string): unknown {
  return (generator.options as Record<string, unknown>)[name];
}

/** A path in the target directory of a running generator. */
export function pathIn(generator: Generator, name: string): string {
  return join(String(optionOf(generator, 'directory')), name);
}

/** A generator class for one test. Like botcli's generators, it writes into the directory in the option `directory`. */
export function throwaway(files: Rendered, alsoDo: (generator: Generator) => unknown = () => {}) {
  return class extends Generator {
    override determineAppname(): string {
      return 'throwaway';
    }

    async writing(): Promise<void> {
      for (const [name, file] of Object.entries(files)) {
        const path = pathIn(this, name);
        this.fs.write(path, typeof file === 'string' ? file : file.contents);
        if (typeof file !== 'string') Object.assign(this.env.sharedFs.get(path), { conflicter: file.mark });
      }
      await alsoDo(this);
    }
  };
}
