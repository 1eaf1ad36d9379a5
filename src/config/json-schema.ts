import { describeOption, type ScaffoldOption, scaffoldOptions } from './options.ts';

/** The JSON Schema of the file that `--config` takes, for editors to complete and check. */
export function configSchema(): object {
  const keys = scaffoldOptions.flatMap((option: ScaffoldOption) => [
    [option.key, schemaOf(option)],
    // The flag's name is also accepted.
    [option.flag.replaceAll('-', '_'), schemaOf(option)],
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'botcli scaffold configuration',
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'The address of this schema' },
      ...Object.fromEntries(keys),
      generate_client: {
        type: 'boolean',
        description: 'Ignored: a dry run prints it, and client_framework determines it',
      },
      botcli: { type: 'object', description: 'Ignored: what botcli remembers about the project, for botcli update' },
    },
    additionalProperties: false,
  };
}

function schemaOf(option: ScaffoldOption): object {
  const { kind, values, default: preset } = option;
  if (kind === 'boolean') return { type: ['boolean', 'null'], default: preset, description: option.help };
  const description = describeOption(option);
  if (kind === 'list') {
    return { type: ['array', 'null'], items: { enum: values }, minItems: 1, description };
  }
  // The only free text is the project's name.
  if (!values) return { type: ['string', 'null'], maxLength: 100, description };
  return { enum: [...values, null], description };
}
