Rails.application.routes.draw do
  draw(:api)
end
