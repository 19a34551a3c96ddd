import { SpanStatusCode, trace } from "@opentelemetry/api";

/**
 * Runs work in a span of its own, below the one that is active. Of a failure it
 * keeps the name alone: its words may hold anything.
 */
export function inSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  const tracer = trace.getTracer("spotlight");
  return tracer.startActiveSpan(name, async (span) => {
    try {
      return await work();
    } catch (failure) {
      const message = failure instanceof Error ? failure.name : "unknown";
      span.setStatus({ code: SpanStatusCode.ERROR, message });
      throw failure;
    } finally {
      span.end();
    }
  });
}

/** The same port, each call of which is a span: `processor.payInvoice`. */
export function withSpans<Port extends object>(area: string, port: Port): Port {
  return new Proxy(port, {
    get(of, name) {
      const call: unknown = Reflect.get(of, name);
      if (typeof call !== "function" || typeof name !== "string") return call;
      return (...args: unknown[]) =>
        inSpan(`${area}.${name}`, async () => await call.apply(of, args));
    },
  });
}
