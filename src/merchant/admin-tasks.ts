import { type Act, adminVerb, dated, Id, type ListPage, paged } from "../core/admin-verb.ts";
import { handledTask, handleTask } from "../core/desk-tasks.ts";
import type { AgentId, OrderId } from "../core/ids.ts";
import { senderOf } from "../core/letter.ts";
import { iso, isoOrNull } from "../core/policy.ts";
import { type DeskTaskRow, ERASED, oldestFirst } from "../core/records.ts";
import { stoppedShipments } from "../orders/admin-views.ts";
import { orderParts } from "../orders/found-orders.ts";
import { lateSince, noteLateLetter } from "../orders/late-letters.ts";
import { refundableMinor } from "../orders/merchant-refund.ts";
import { orderVersion } from "../orders/order-steps.ts";
import type { Context } from "../payments/provider.ts";

/** Tasks of a kind shown at once, longest waiting first. */
const SHOWN = 10;
/** Disputes have deadlines, so practically all are shown. */
const SHOWN_DISPUTES = 100;

/** Facts of the order that a task is about. */
interface About {
  number: number;
  /** Null after an erasure. */
  buyer_email: string | null;
}

/** Tasks that wait until a person handles them (contract §15). */
export function adminTasks(context: Context, act: Act) {
  const { store } = context;
  const { queries } = store;
  const of = async (kind: DeskTaskRow["kind"]) => {
    const { count, tasks } = await queries.openTasks(kind, SHOWN);
    return { count, tasks, ids: tasks.map(({ subject }) => subject) };
  };

  /** Orders by id; ids of other things are ignored. */
  async function ordersOf(ids: readonly (string | null)[]) {
    const orders = await queries.ordersByIds([...new Set(ids.filter((id) => id !== null))]);
    return new Map<string | null, About>(
      orders.map(({ id, number, buyer_email }) => [
        id,
        { number, buyer_email: buyer_email === ERASED ? null : buyer_email },
      ]),
    );
  }

  async function refunds() {
    const { count, found } = await queries.refundTasks(SHOWN);
    const orders = found.map(({ order }) => order);
    const parts = await orderParts(store, orders);
    const all = found.map(({ task, order }, i) => ({
      id: task.id,
      buyer_email: order.buyer_email,
      since: iso(task.created_at),
      order_id: order.id,
      number: order.number,
      status: order.status,
      refundable_minor: refundableMinor(order, parts[i]!),
      version: orderVersion(order, parts[i]!.refunds),
    }));
    // With all the money on its way back, nothing is left to decide unless that refund fails.
    const rows = all.filter(({ refundable_minor }) => refundable_minor > 0);
    return { count: count - (all.length - rows.length), rows };
  }

  /** Shipments that failed or came back. */
  async function stopped(kind: "FAILURE" | "RETURN") {
    const { count, tasks } = await of(kind);
    return { count, rows: await stoppedShipments(store, tasks) };
  }

  async function disputes() {
    const rows = await queries.openDisputes(SHOWN_DISPUTES);
    const about = await ordersOf(rows.map((row) => row.order_id));
    return rows.map(({ due_by, ...row }) => ({
      ...dated(row),
      number: about.get(row.order_id)?.number,
      buyer_email: about.get(row.order_id)?.buyer_email,
      respond_by: isoOrNull(due_by),
    }));
  }

  async function incidents() {
    const { count, ids } = await of("INCIDENT");
    const rows = await queries.incidentsByIds(ids);
    return { count, rows: (await incidentRows(rows)).sort(oldestFirst).map(dated) };
  }

  /** Rows with the order that they are about. */
  async function numbered<R extends { order_id: OrderId | null }>(rows: readonly R[]) {
    const orders = await ordersOf(rows.map(({ order_id }) => order_id));
    return rows.map((row) => {
      const found: Partial<About> = orders.get(row.order_id) ?? {};
      return { ...row, ...found, number: found.number };
    });
  }

  /** Incidents with the order's number. They name no buyer. */
  async function incidentRows<R extends { subject: string }>(rows: readonly R[]) {
    const orders = await ordersOf(rows.map(({ subject }) => subject));
    return rows.map((row) => ({ ...row, number: orders.get(row.subject)?.number }));
  }

  /** Messages with the agent's name and registered address. */
  async function signed<R extends { agent_id: AgentId }>(rows: readonly R[]) {
    const ids = [...new Set(rows.map(({ agent_id }) => agent_id))];
    const agents = await Promise.all(ids.map(queries.agent));
    return rows.map((row) => {
      const agent = agents.find((one) => one?.id === row.agent_id);
      const buyer = "message" in row ? senderOf(row as typeof row & { message: string }) : null;
      return {
        ...row,
        agent_name: agent?.name ?? null,
        agent_email: agent?.contact_email ?? buyer,
      };
    });
  }

  async function messages() {
    const [feedback, leads] = await Promise.all([of("FEEDBACK"), of("LEAD")]);
    const [written, asked] = await Promise.all([
      queries.feedbackByIds(feedback.ids).then(signed).then(numbered),
      queries.leadsByIds(leads.ids),
    ]);
    const rows = [
      ...asked.map((row) => ({
        ...row,
        order_id: null,
        number: undefined,
        text: row.purpose,
      })),
      // An answer about an order goes to its buyer, who may not read what the agent gets.
      ...written.map((row) => ({
        ...row,
        email: row.buyer_email ?? row.agent_email,
        text: row.message,
      })),
    ].map(({ id, email, order_id, number, text, created_at }) => {
      return { id, email, order_id, number, text, created_at };
    });
    return { count: feedback.count + leads.count, rows: rows.sort(oldestFirst).map(dated) };
  }

  /** A paged list, newest first, with who handled each row and when. */
  const listed = <R extends { id: string; created_at: number }>(
    read: (before: ListPage["before"], limit?: number) => Promise<R[]>,
  ) =>
    paged(read, async (rows) => {
      const tasks = await queries.tasksByIds(rows.map(({ id }) => id));
      const byId = new Map(tasks.map((task) => [task.id, task]));
      return rows.map((row) => ({ ...dated(row), ...handledTask(byId.get(row.id)) }));
    });

  const tasks = {
    waiting: adminVerb({}, async () => {
      const shipments = [stopped("FAILURE"), stopped("RETURN")] as const;
      const all = [refunds(), ...shipments, disputes(), incidents(), messages()] as const;
      const [toRefund, failures, returns, disputed, open, written] = await Promise.all(all);
      return {
        refunds: toRefund,
        failures,
        returns,
        disputes: disputed,
        incidents: open,
        messages: written,
      };
    }),
    /**
     * Marks a task as handled. A refund task then means that no money goes back. The id of a late order
     * means that its buyer has a letter.
     */
    handle: adminVerb({ task_id: Id }, async ({ task_id: id }) => {
      const late = { orderId: id, since: lateSince(context) };
      return handledTask(
        id.startsWith("ord_")
          ? await store.run(noteLateLetter, { ...act(), ...late })
          : await store.run(handleTask, { ...act(), id }),
      );
    }),
  };

  return {
    tasks,
    feedback: {
      list: listed(async (...page) => numbered(await signed(await queries.allFeedback(...page)))),
    },
    leads: { list: listed(async (...page) => signed(await queries.allLeads(...page))) },
    incidents: {
      list: listed(async (...page) => incidentRows(await queries.allIncidents(...page))),
    },
  };
}
