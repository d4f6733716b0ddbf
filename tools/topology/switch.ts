import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** An address behind which another server can be put, as a cluster's virtual address or a proxy does. */
export class Switch {
  #sockets: Set<Socket> = new Set();
  #server = createServer((near) => this.#join(near));
  #target;

  /** @param target Port on this machine. */
  constructor(target: number) {
    this.#target = target;
  }

  /** @param address Of this machine. @param port A free one where it is 0. */
  async open(address = '127.0.0.1', port = 0) {
    await new Promise((resolve) => this.#server.listen(port, address, () => resolve(undefined)));
    return this;
  }

  get port() {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Who connects from now on reaches that port. */
  to(target: number) {
    this.#target = target;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near: Socket) {
    const far = connect(this.#target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ]) {
      if (!socket || !other) continue;
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
