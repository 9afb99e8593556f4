// Calls a server with the client that hey-api has made of an OpenAPI document: `generated URL TOKEN`.
import { client } from "./hey/client.gen";
import { accountsVerifyCredentials, listsCreate, statusesCreate, timelinesHome } from "./hey/sdk.gen";

const [url, token] = process.argv.slice(2);
client.setConfig({ baseUrl: url, auth: token, throwOnError: true });

const expect = (condition: boolean, what: string): void => {
  if (!condition) throw new Error(`not as it should be: ${what}`);
};

const me = await accountsVerifyCredentials({ throwOnError: true });
const made = await statusesCreate({ body: { status: "Made of a document." }, throwOnError: true });
const name: string = "account" in made.data ? made.data.account.acct : "";
expect(name === me.data.acct, "the author");
const home = await timelinesHome({ query: { limit: 1 }, throwOnError: true });
expect("content" in made.data && home.data[0]?.content === made.data.content, "the timeline");
const refused = await listsCreate({ body: { title: "" }, throwOnError: false });
expect(refused.response !== undefined && [400, 422].includes(refused.response.status), "an empty title");
console.log("all is well");
