namespace :api, format: false do
  concern :pinnable do
    member do
      post :pin
    end
  end

  namespace :v1 do
    resources :notes, only: [:index] do
      get :pinned, on: :collection
      scope module: :notes do
        resource :history, only: :show
      end
    end
  end

  namespace :v2 do
    resources :notes, only: :show
    with_options to: 'notes#gone' do
      get '/notes/gone'
    end
  end
end
