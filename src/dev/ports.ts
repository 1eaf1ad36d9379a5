import { valueFor } from '../check/checks/facts.ts';
import { isFree } from '../check/this-machine.ts';
import { UserError } from '../errors.ts';
import { portIn } from '../port.ts';
import { usualPorts } from '../project/client/facts.ts';
import { featuresOf } from '../project/features.ts';
import { PART_NAMES, type Part, tunnelPort } from './parts.ts';
import type { Plan } from './plan.ts';
import { freePort } from './ready.ts';
import type { Reporter } from './reporter.ts';

type Ports = Parameters<typeof tunnelPort>[1];

/**
 * The port of each part: the usual one, or the next one that is free. Says which aren't the usual
 * ones.
 *
 * @throws {UserError} Exit code 1: a port is in use, and the part can't use another.
 */
export async function choosePorts(
  { facts, typed, way }: Pick<Plan, 'facts' | 'typed' | 'way'>,
  report: Reporter,
): Promise<Ports> {
  const { config } = facts.project;
  const usual = usualPorts(config);
  const own = portIn(valueFor('PORT', facts.env)) ?? usual.calls;
  const wanted: Ports = { bot: typed ?? usual.bot, calls: own, client: usual.client };
  const isTunneled = (port: number) => way.host !== undefined && tunnelPort(way, wanted) === port;
  const envPath = facts.place(facts.env.path);
  const rows: Row[] = [
    { name: 'bot', isUsed: true, advice: typed !== undefined ? TYPED : isTunneled(wanted.bot) ? TUNNELED : undefined },
    {
      name: 'calls',
      isUsed: featuresOf(config).hasCallServer,
      // server.py prefers the PORT of .env to any other.
      advice: facts.env.file.entries.get('PORT')?.value
        ? `End that program, or change PORT in ${envPath}.`
        : isTunneled(wanted.calls)
          ? `End that program. Or make your tunnel lead to another port, and set PORT in ${envPath}.`
          : undefined,
    },
    { name: 'client', isUsed: config.generate_client, advice: undefined },
  ];
  const ports: Record<Part['name'], number> = { ...wanted };
  for (const { name, advice } of rows.filter(({ isUsed }) => isUsed)) {
    const port = wanted[name];
    const others = rows.filter(row => row.isUsed && row.name !== name).map(row => ports[row.name]);
    if (!others.includes(port) && (await isFree(port))) continue;
    if (advice !== undefined) {
      const message = `Port ${port} is in use, so the ${PART_NAMES[name]} can't start`;
      throw new UserError(message, { reason: 'part-ended', hint: advice });
    }
    ports[name] = await freePort(port, others);
    report.say(`Port ${port} is in use, so the ${PART_NAMES[name]} uses ${ports[name]}.`);
  }
  return ports;
}

/** A part that may need a port. */
interface Row {
  name: Part['name'];
  isUsed: boolean;
  /** What to do if its port is in use; undefined if it can use another. */
  advice: string | undefined;
}

const TYPED = 'End that program, or pass another --port.';
const TUNNELED = 'End that program. Or make your tunnel lead to another port, and pass that with --port.';
