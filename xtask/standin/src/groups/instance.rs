//! What the server tells of itself.

use fedispec::server::{Call, Instance, List, Result};
use fedispec::{entities, instance};

use crate::app::App;

impl Instance for App {
    async fn get(&self, _: instance::Get, _: Call) -> Result<entities::Instance> {
        Ok(self.state().view(None).instance(self.release()))
    }

    async fn get_v1(&self, _: instance::GetV1, _: Call) -> Result<entities::V1Instance> {
        Ok(self.state().view(None).instance_v1(self.release()))
    }

    async fn rules(&self, _: instance::Rules, _: Call) -> Result<List<entities::Rule>> {
        Ok(self.state().view(None).rules().into())
    }
}
