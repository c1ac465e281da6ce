// Sends an operation to this server, after those whose answers it needs.
"use strict";

const form = document.getElementById("try");
const signIn = document.getElementById("sign-in");
const result = document.getElementById("result");
const stop = document.getElementById("stop");

// The token lives as long as the tab.
const held = () => JSON.parse(sessionStorage.getItem("bureau-token") || "null");

function showWho() {
  const who = held();
  signIn.hidden = Boolean(who);
  document.getElementById("signed-in").hidden = !who;
  document.getElementById("who").textContent = who ? who.name : "";
}

// say shows lines of text under the form; nothing of an answer is taken as HTML.
function say(kind, head, text) {
  result.replaceChildren();
  const p = document.createElement("p");
  p.className = `notice ${kind}`;
  p.textContent = head;
  result.append(p);
  if (text === undefined) return null;
  const pre = document.createElement("pre");
  pre.tabIndex = 0;
  pre.textContent = text;
  result.append(pre);
  return pre;
}

// A pasted card fills both fields.
document.getElementById("username").addEventListener("input", (e) => {
  try {
    const card = JSON.parse(e.target.value);
    if (card.username && card.password) {
      e.target.value = card.username;
      document.getElementById("password").value = card.password;
    }
  } catch { /* a user key, then */ }
});

signIn.addEventListener("submit", async (e) => {
  e.preventDefault();
  const name = document.getElementById("username").value;
  const password = document.getElementById("password");
  const res = await fetch("/v1/authenticate", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: name, password: password.value }),
  });
  if (!res.ok) {
    say("bad", `${res.status}: that user key and password are not taken.`);
    return;
  }
  sessionStorage.setItem("bureau-token", JSON.stringify({ name, token: (await res.json()).token }));
  password.value = "";
  result.replaceChildren();
  showWho();
  form.querySelector("button").focus();
});

document.getElementById("sign-out").addEventListener("click", () => {
  sessionStorage.removeItem("bureau-token");
  showWho();
});

const fill = (text, values) => text.replace(/\{([a-zA-Z]+)\}/g, (all, name) => values[name] ?? all);
const words = (text) => [...text.matchAll(/\{([a-zA-Z]+)\}/g)].map((m) => m[1]);
const at = (answer, pointer) => pointer.split("/").slice(1).reduce((v, key) => v?.[key], answer);

// request makes a call of an operation and the values of its parameters.
function request(op, parameters, body, url, values, signal) {
  let path = op.path;
  const query = new URLSearchParams();
  const headers = {};
  for (const [name, raw] of Object.entries(parameters)) {
    if (raw === "") continue;
    const value = fill(raw, values);
    if (op.in[name] === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (op.in[name] === "header") headers[name] = value;
    else query.set(name, value);
  }
  if (op.token && held()) headers.Authorization = `Bearer ${held().token}`;
  let content;
  if (op.kind === "multipart/form-data" && body) {
    content = new FormData();
    for (const [name, text] of Object.entries(JSON.parse(fill(body, values)))) content.set(name, new Blob([text]), "companies.csv");
  } else if (op.kind && body) {
    headers["Content-Type"] = op.kind;
    content = fill(body, values);
  }
  // An address that an answer told may name this server otherwise than the tab does.
  const told = url ? new URL(fill(url, values), location.href) : null;
  const address = told ? told.pathname + told.search : `/v1${path}${query.size ? `?${query}` : ""}`;
  return fetch(address, { method: op.method, headers, body: content, signal });
}

// prepare sends the samples that others need, each once.
async function prepare(calls, sample, text, values, done) {
  for (const name of words(text)) {
    const from = sample.takes?.[name];
    if (from && values[name] === undefined) values[name] = at(await send(calls, from.from, values, done), from.at);
    if (from && values[name] === undefined) throw new Error(`the answer to ${from.from} holds no ${from.at} yet; try again in a moment`);
  }
}

async function send(calls, id, values, done) {
  if (done[id]) return done[id];
  const op = calls[id];
  const s = op.sample;
  await prepare(calls, s, JSON.stringify(s), values, done);
  for (const before of s.after || []) await send(calls, before, values, done);
  const res = await request(op, s.parameters || {}, s.body, s.url, values);
  const text = await res.text();
  if (res.status !== s.status) throw new Error(`${id}, which comes first, was answered with ${res.status}: ${text.slice(0, 500)}`);
  done[id] = text ? JSON.parse(text) : {};
  return done[id];
}

// show writes an answer: JSON in lines, text as it comes, all else as a file.
async function show(res, took) {
  const kind = res.headers.get("Content-Type") || "";
  const head = `${res.status} ${res.statusText} in ${took} ms · ${res.headers.get("X-Correlation-Id") || ""}`;
  const mood = res.ok ? "good" : "bad";
  if (kind.startsWith("text/event-stream")) {
    const pre = say(mood, `${head} · events are shown as they come`, "");
    stop.hidden = false;
    const reader = res.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) pre.textContent = (pre.textContent + part.value).slice(-100000);
  } else if (kind.includes("json")) {
    const text = await res.text();
    say(mood, head, text ? JSON.stringify(JSON.parse(text), null, 2) : "");
  } else if (kind.startsWith("text/") || !kind) {
    say(mood, head, await res.text());
  } else {
    const file = await res.blob();
    say(mood, `${head} · ${kind}, ${file.size} bytes`);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = "answer";
    link.textContent = "Save the file";
    result.append(link);
  }
}

let running;
form.addEventListener("submit", async (e) => {
  e.preventDefault();
  running?.abort();
  running = new AbortController();
  say("", "Sending …");
  try {
    const calls = await (await fetch(form.dataset.samples)).json();
    const id = form.dataset.operation;
    const op = calls[id];
    const values = { n: Math.floor(Math.random() * 1e6), receiver: document.getElementById("receiver")?.value };
    const parameters = {};
    for (const name of Object.keys(op.in || {})) parameters[name] = form.elements[name].value;
    const body = document.getElementById("body")?.value || "";
    const url = document.getElementById("url")?.value || "";
    const done = {};
    await prepare(calls, op.sample, Object.values(parameters).join() + body + url, values, done);
    if (Object.values(parameters).some((v) => words(v).length) || words(body + url).length) {
      for (const before of op.sample.after || []) await send(calls, before, values, done);
    }
    const start = performance.now();
    const res = await request(op, parameters, body, url, values, running.signal);
    if (res.status === 401 && op.token) {
      sessionStorage.removeItem("bureau-token");
      showWho();
    }
    await show(res, Math.round(performance.now() - start));
  } catch (err) {
    if (err.name !== "AbortError") say("bad", err.message);
  } finally {
    stop.hidden = true;
  }
});
stop.addEventListener("click", () => running?.abort());

showWho();
