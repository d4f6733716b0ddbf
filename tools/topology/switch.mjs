// @ts-check
import { connect, createServer } from 'node:net';

/** An address behind which another server can be put, as a cluster's virtual address or a proxy does. */
export class Switch {
  /** @type {Set<import('node:net').Socket>} */
  #sockets = new Set();
  #server = createServer((near) => this.#join(near));
  #target;

  /** @param {number} target Port on this machine. */
  constructor(target) {
    this.#target = target;
  }

  /** @param {string} [address] Of this machine. @param {number} [port] A free one where it is 0. */
  async open(address = '127.0.0.1', port = 0) {
    await new Promise((resolve) => this.#server.listen(port, address, () => resolve(undefined)));
    return this;
  }

  get port() {
    return /** @type {import('node:net').AddressInfo} */ (this.#server.address()).port;
  }

  /** Who connects from now on reaches that port. @param {number} target */
  to(target) {
    this.#target = target;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** @param {import('node:net').Socket} near */
  #join(near) {
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
