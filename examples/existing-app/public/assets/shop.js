// The shop's single page. It is longer than a kilobyte, so that compression has something to do.
const view = document.querySelector("#shop");

async function ask(path, options) {
  const answer = await fetch(path, options);
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error);
  return body;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function listOf(orders) {
  const list = document.createElement("ul");
  for (const { id, item, status } of orders) {
    list.append(element("li", `Order ${id}: ${item}, ${status}`));
  }
  return list;
}

async function showOrders() {
  const { orders } = await ask("/api/v1/orders");
  view.replaceChildren(element("h1", "Orders"), listOf(orders));
}

async function order(item) {
  await ask("/api/v1/orders", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ item }),
  });
  await showOrders();
}

const form = document.createElement("form");
const input = document.createElement("input");
input.name = "item";
form.append(input, element("button", "Order"));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  order(input.value).catch((error) => view.append(element("p", error.message)));
});

showOrders()
  .catch((error) => view.replaceChildren(element("p", error.message)))
  .finally(() => view.append(form));
