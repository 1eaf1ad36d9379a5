import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy that forwards everything to a port here, or sends this refusal. If that is empty, it hangs up. */
export async function startProxy(to: number, refusal?: string) {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => sockets.add(socket.on('error', () => socket.destroy()));
  const tunnels: string[] = [];
  const seen = { tunnels, bytes: '' };
  const server = createServer().on('connect', (request, socket: Socket) => {
    keep(socket);
    tunnels.push(`${request.url} ${request.headers['proxy-authorization']}`);
    if (refusal !== undefined) return socket.end(refusal);
    const onward = connect(to, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    keep(onward);
    socket.on('data', data => {
      seen.bytes += data.toString('latin1');
    });
    return socket.pipe(onward).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, seen, close };
}
