// The laboratory as the page calls it: one question at a time, and of those that wait the newest.

import type { Reply, Request } from "./answers.js";

interface Call {
  request: Request;
  done: (value: never) => void;
  failed: (error: Error) => void;
  part: ((value: never) => void) | undefined;
}

/** A question for which a newer one was asked. */
export class Overtaken extends Error {}

export class Lab {
  /** The thread; none until the first question, and after a stop. */
  private worker: Worker | undefined;
  private id = 0;
  private running: Call | undefined;
  private waiting: Call | undefined;

  /** `hasty` ones are told the newest question while they still work on the one before. */
  constructor(private readonly module: Promise<WebAssembly.Module>, private readonly hasty = false) {}

  /** Starts the thread before anything is asked, so that it is there once the module is. */
  begin(): this {
    this.worker ??= this.begun();
    return this;
  }

  ask<T, P = T>(request: Request, part?: (value: P) => void): Promise<T> {
    return new Promise<T>((done, failed) => {
      this.waiting?.failed(new Overtaken());
      this.waiting = { request, done, failed, part };
      if (this.hasty && this.running) {
        this.running.failed(new Overtaken());
        this.running = undefined;
      }
      this.next();
    });
  }

  /** Ends whatever it is at, which may take long. */
  stop() {
    if (!this.running) return;
    this.worker?.terminate();
    this.worker = undefined;
    this.running.failed(new Overtaken());
    this.running = undefined;
    this.next();
  }

  private begun(): Worker {
    const worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.heard(data);
    worker.onerror = (event) => this.running?.failed(new Error(event.message));
    this.module.then((module) => worker.postMessage({ id: 0, request: { do: "open", module } satisfies Request }), () => undefined);
    return worker;
  }

  private next() {
    if (this.running || !this.waiting) return;
    this.running = this.waiting;
    this.waiting = undefined;
    this.id += 1;
    const [worker, message] = [this.begin().worker, { id: this.id, request: this.running.request }];
    // Behind the module, which is posted in the same way before.
    this.module.then(() => worker?.postMessage(message), (error: Error) => this.heard({ id: message.id, fault: error.message }));
  }

  private heard({ id, ok, fault, part }: Reply) {
    const call = this.running;
    if (id !== this.id || !call) return;
    if (part !== undefined) {
      call.part?.(part as never);
      return;
    }
    this.running = undefined;
    if (fault === undefined) call.done(ok as never);
    else call.failed(new Error(fault));
    this.next();
  }
}
