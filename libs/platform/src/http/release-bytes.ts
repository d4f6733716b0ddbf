/** Not in every Node that is supported. */
interface Transferable {
  transfer?(length: number): ArrayBuffer;
}

/**
 * Gives the memory of bytes back that nobody will look at again, now and not when it is collected: V8 counts what
 * buffers hold outside its heap, and collects the whole of it again and again where much comes and goes. A look at them
 * later finds none, and they may be given back twice. Bytes that share their memory with others, as small buffers of
 * Node do, are left alone.
 */
export function releaseBytes(bytes: Buffer): void {
  const memory = bytes.buffer as ArrayBuffer & Transferable;
  if (bytes.byteLength > 0 && memory.byteLength === bytes.byteLength) memory.transfer?.(0);
}
